"""finegrain as a library: bins of a 0/1 table, with the share of every system in every bin."""

import json
import sys

import finegrain as fg
from finegrain.formats.matrix import read_file

found = fg.difficulty(fg.align(read_file(sys.argv[1]), {}))
print(json.dumps(found.to_json()["sizes"]))
