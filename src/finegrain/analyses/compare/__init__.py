"""How systems differ: pairs of them, all of them together, and by how hard a unit is."""
