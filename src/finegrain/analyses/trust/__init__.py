"""What to believe: tests, seeds, slices, agreement of annotators, splits and gates."""
