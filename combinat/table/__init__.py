"""What happens at a gaming table: settlement, limits, incidents and rulings, exposure."""
