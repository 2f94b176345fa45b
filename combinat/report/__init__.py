"""How people see it: documents of headings, paragraphs and tables, in every format."""
