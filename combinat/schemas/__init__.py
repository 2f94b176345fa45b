"""The shape of every JSON document that combinat writes, and of rule books, stated once: as types, and from them as JSON Schemas."""
