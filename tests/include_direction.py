#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Includes go one way: a room of src/ includes only rooms above it, and public headers only of those and its own.

The rooms, their order and their public headers stand in src/CMakeLists.txt.

    include_direction.py ROOT         prints file:line: fault, exits with 1 where there is one
    include_direction.py --self-test  breaks every rule in a made-up tree and expects to be told
"""

import pathlib
import re
import sys
import tempfile

ROOM = re.compile(r"^shapeboost_room\((\w+)\s+(?:PUBLIC\s+([\w\s]*?)\s+)?SOURCES\s+([\w\s]*)\)", re.MULTILINE)
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*["<]([^">]+)[">]', re.MULTILINE)
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
EVERYBODYS = ("version",)  # generated
LAST = ("shapeboost",)  # only includes the others


def includes(path):
    """(line, name) of every include of a file."""
    text = COMMENT.sub(lambda c: "\n" * c.group().count("\n"), path.read_text(encoding="utf-8"))
    return [(text.count("\n", 0, m.start()) + 1, m.group(1)) for m in INCLUDE.finditer(text)]


def faults(root):
    """Every fault below root as 'file:line: sentence'."""
    found = []

    def fault(path, line, sentence):
        found.append(f"{path.relative_to(root).as_posix()}:{line}: {sentence}")

    rooms = ROOM.findall((root / "src" / "CMakeLists.txt").read_text(encoding="utf-8"))
    order = [name for name, _, _ in rooms]
    room_of_header = {header: name for name, headers, _ in rooms for header in headers.split()}

    def check(path, room):
        for line, name in includes(path):
            public = re.fullmatch(r"(?:.*/)?shapeboost/([^/]+)\.hpp", name)
            if public and public.group(1) in EVERYBODYS:
                continue
            if public and public.group(1) not in room_of_header:
                fault(path, line, f"includes {name}, which no room answers for")
                continue
            folder = room_of_header[public.group(1)] if public else name.split("/")[0] if "/" in name else None
            if folder in order and order.index(folder) > order.index(room):
                fault(path, line, f"{room} must not include {name}: {folder} is not above it")
            elif "cli" in pathlib.PurePosixPath(name).parts[:-1] or (
                folder is None and (root / "cli" / name).is_file()
            ):
                fault(path, line, f"the library includes {name} from cli")

    for path in sorted(root.glob("include/**/*.hpp")):
        if path.stem in LAST:
            continue
        if path.stem not in room_of_header:
            fault(path, 1, f"no room answers for {path.stem}.hpp")
            continue
        check(path, room_of_header[path.stem])
        for line, name in includes(path):
            if (root / "src" / name).is_file():
                fault(path, line, f"a public header includes {name}, which is private")

    listed = {f"{room}/{source}.cpp" for room, _, sources in rooms for source in sources.split()}
    for path in sorted(root.glob("src/**/*.[ch]pp")):
        name = path.relative_to(root / "src").as_posix()
        room = name.split("/")[0]
        if "/" not in name or room not in order:
            fault(path, 1, "lies in no room")
            continue
        check(path, room)
        if path.suffix == ".cpp" and name not in listed:
            fault(path, 1, "is not compiled: src/CMakeLists.txt does not name it")
    return sorted(set(found))


def self_test():
    good = {
        "src/CMakeLists.txt": "shapeboost_room(ground\n  PUBLIC base\n  SOURCES text)\n"
        "shapeboost_room(solve\n  SOURCES lp\n    rows)\nshapeboost_room(data\n  PUBLIC dataset files\n  SOURCES reader)\n",
        "include/shapeboost/base.hpp": "#include <string>\n",
        "include/shapeboost/dataset.hpp": '#include <shapeboost/base.hpp>\n/*\n#include "solve/lp.hpp"\n*/',
        "include/shapeboost/shapeboost.hpp": '#include "shapeboost/dataset.hpp"\n',
        "src/ground/text.cpp": '#include "ground/text.hpp"\n',
        "src/ground/text.hpp": '#include "shapeboost/base.hpp"\n#include "shapeboost/version.hpp"\n',
        "src/solve/lp.cpp": '#include "solve/lp.hpp"\n#include "ground/text.hpp"\n',
        "src/solve/lp.hpp": '#include "shapeboost/base.hpp"\n',
        "src/solve/rows.cpp": "",
        "src/data/reader.cpp": '#include "shapeboost/dataset.hpp"\n#include "solve/lp.hpp"\n',
        "cli/main.cpp": '#include "options.hpp"\n#include "solve/lp.hpp"\n',
        "cli/options.hpp": "#include <CLI/CLI.hpp>\n",
    }
    # One broken rule each: the files that break it, and where the fault must be found.
    bad = {
        "private header includes a room below": (
            {"src/ground/text.hpp": '\n#include "solve/lp.hpp"\n'},
            "src/ground/text.hpp:2: ground must not include solve/lp.hpp: solve is not above it",
        ),
        "source includes a room below": (
            {"src/ground/text.cpp": '\n\n  #  include "solve/lp.hpp"\n'},
            "src/ground/text.cpp:3: ground must not",
        ),
        "source includes a public header of a room below": (
            {"src/solve/lp.cpp": '#include "shapeboost/dataset.hpp"\n'},
            "src/solve/lp.cpp:1: solve must not include shapeboost/dataset.hpp: data is not above it",
        ),
        "public header includes one of a room below": (
            {"include/shapeboost/base.hpp": '#include "shapeboost/dataset.hpp"\n'},
            "include/shapeboost/base.hpp:1: ground must not",
        ),
        "public header that no room answers for": (
            {"include/shapeboost/utils.hpp": ""},
            "include/shapeboost/utils.hpp:1: no room answers for utils.hpp",
        ),
        "include of a public header that no room answers for": (
            {"src/solve/lp.cpp": '#include "shapeboost/utils.hpp"\n'},
            "src/solve/lp.cpp:1: includes shapeboost/utils.hpp, which no room",
        ),
        "public header includes a private one": (
            {"include/shapeboost/dataset.hpp": '#include "ground/text.hpp"\n'},
            "include/shapeboost/dataset.hpp:1: a public header includes ground/text.hpp",
        ),
        "source outside the rooms": ({"src/helpers.cpp": ""}, "src/helpers.cpp:1: lies in no room"),
        "source in a folder that is no room": ({"src/misc/x.cpp": ""}, "src/misc/x.cpp:1: lies in no room"),
        "source that is not compiled": ({"src/solve/qp.cpp": ""}, "src/solve/qp.cpp:1: is not compiled"),
        "source includes cli by folder": (
            {"src/solve/lp.cpp": '#include "../cli/options.hpp"\n'},
            "src/solve/lp.cpp:1: the library includes ../cli/options.hpp",
        ),
        "header includes cli by name": (
            {"include/shapeboost/dataset.hpp": '#include "options.hpp"\n'},
            "include/shapeboost/dataset.hpp:1: the library includes options.hpp",
        ),
    }

    def told(files):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name, text in files.items():
                path = root / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            return faults(root)

    wrong = [f"a tree without fault: told {told(good)}"] if told(good) else []
    for rule, (files, expected) in bad.items():
        answer = told({**good, **files})
        if len(answer) != 1 or not answer[0].startswith(expected):
            wrong.append(f"{rule}: expected '{expected}', told {answer}")
    return wrong


def main(arguments):
    if arguments == ["--self-test"]:
        found = self_test()
    elif len(arguments) == 1 and (pathlib.Path(arguments[0]) / "src" / "CMakeLists.txt").is_file():
        found = faults(pathlib.Path(arguments[0]))
    else:
        print(__doc__, file=sys.stderr)
        return 2
    print("\n".join(found) if found else "includes: no fault")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
