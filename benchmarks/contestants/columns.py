"""Reading tag sequences for peers that take lists."""


def read_tags(path: str) -> list[list[str]]:
    """The last column of a file, one list per sentence; -DOCSTART- lines are no sentences."""
    sentences: list[list[str]] = [[]]
    with open(path, encoding="utf-8") as file:  # noqa: PTH123 - as users write it
        for line in file:
            if line == "\n":
                if sentences[-1]:
                    sentences.append([])
            elif not line.startswith("-DOCSTART-"):
                sentences[-1].append(line[line.rfind("\t") + 1 : -1])
    return sentences if sentences[-1] else sentences[:-1]
