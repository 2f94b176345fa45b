"""The filed report of a game, from page one to the last annex, drawn from the dossier: a module for each chapter."""
