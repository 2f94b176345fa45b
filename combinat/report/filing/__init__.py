"""What the report of a game says, from the rules to the last annex, drawn from the dossier: a module a section.

Page one, document control, scope and statement stand around it (``report/frame.py``).
"""
