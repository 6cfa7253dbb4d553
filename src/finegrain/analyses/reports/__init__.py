"""Everything about a table at once: findings written by rules, and the units a page holds."""
