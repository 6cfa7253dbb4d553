"""UAS, LAS and how two parsers differ, with finegrain: gold and two CoNLL-U files."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import finegrain as fg

gold, *systems = sys.argv[1:]
parsed = {Path(path).stem: fg.read(path) for path in systems}
table = fg.align(fg.read(gold), parsed, task="dependencies")
scores = fg.score(table, ["uas", "las"]).overall
found = fg.difference(table).to_json()
changes = {kind: found[kind] for kind in ("corrections", "new_errors", "changed_errors")}
print(
    json.dumps(
        {
            "uas": scores["uas"].tolist(),
            "las": scores["las"].tolist(),
            **{
                kind: sorted([one["from"], one["to"], one["count"]] for one in change["pairs"])
                for kind, change in changes.items()
                if kind != "changed_errors"
            },
            "changed_errors": changes["changed_errors"]["count"],
        }
    )
)
