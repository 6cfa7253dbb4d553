"""Why: attributes and their buckets, training data, data sets alone and side by side."""
