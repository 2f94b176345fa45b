"""The gaming table: settlement, limits, incidents and rulings, exposure."""
