"""What finegrain may do with a file that is neither plainly valid nor plainly invalid.

Everything else is a failure. A reader of the second kind adds one of these names to the ``doubts``
of a corpus; then the file may be refused, and if it is scored, the score must be the same.
"""

from __future__ import annotations

OTHER_FORMAT = "another format"
ODDITIES: dict[str, str] = {
    OTHER_FORMAT: "without --input, damage can make a file a valid one of another format; "
    "which one is said, and it is scored or refused as such",
    "control characters": "no format forbids them in words: refused where they act as white space",
    "zero bytes behind an archive": "padding in some formats of archives, damage in others",
    "two columns with the same tags": "gold and answer may stand side by side: refused until "
    "--columns says which is which",
    "an empty cell in a column that is not read": "refused where that column is looked at to tell "
    "gold from answer",
    "labels that look alike": "PER and PER with an invisible character would count as two: refused",
    "an empty node that depends on no node": "DEPS counts where the node is the head of a mention: "
    "refused there",
    "no comment global.Entity": "CorefUD must say its fields in front of the first mention: "
    "refused where they matter",
    "a line of white space among JSON lines": "of characters that only Unicode calls white space: "
    "refused, or passed over as a blank line",
    "a number that is written oddly": "digits of other scripts, 1_000, blanks around it: "
    "refused, or read as Python does",
    "a 0/1 table that may be tokens with numbers": "refused until --input matrix says what it is",
}
