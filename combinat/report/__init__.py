"""Documents of headings, paragraphs and tables, in every format."""
