"""The shape of every JSON document that combinat writes, stated once: as types, and from them as JSON Schemas."""
