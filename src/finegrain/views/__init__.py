"""Views: results as text for terminals, papers and programs."""
