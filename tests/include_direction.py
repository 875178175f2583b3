#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Includes go one way: a header includes only headers above it in ORDER, a source none below its own.

    include_direction.py ROOT         prints file:line: fault, exits with 1 where there is one
    include_direction.py --self-test  breaks every rule in a made-up tree and expects to be told
"""

import pathlib
import re
import sys
import tempfile

# The data's walk, first to last. Mirrors the table in HACKING.md; a new header is one more line in both.
ORDER = (
    "base",
    "parallel",
    "matrix",
    "version",
    "file",
    "lp",
    "dense_lp",
    "min_norm_point",
    "kmeans",
    "dataset",
    "reader",
    "writer",
    "synthetic",
    "metrics",
    "bound",
    "gram",
    "kernel",
    "view",
    "hypothesis",
    "table",
    "oracle",
    "weak_learner",
    "class_weights",
    "master",
    "booster",
    "baselines",
    "model",
    "attach",
    "guarantee",
    "trainer",
    "settings",
    "predictor",
    "explanation",
    "selection",
    "grid",
    "calibration",
    "experiment",
    "record",
    "figure",
    "report",
    "shapeboost",  # only includes the others
)

# Sources that are a part of another header's work, and whose names do not begin with its name (as reader_ts
# begins with reader): source -> header.
PART_OF = {
    "text_detail": "base",
    "json_detail": "base",
    "windows": "view",
    "product_windows": "view",
    "laplacian_windows": "view",
    "dtw_windows": "view",
    "gak_windows": "view",
    "vectors": "view",
    "symbol_windows": "view",
    "kmer_windows": "view",
    "subsequence_windows": "view",
    "gram_bags": "view",
    "custom_instances": "view",
    "plan": "trainer",
    "problem": "trainer",
    "problem_detail": "trainer",
    "sparse_learner": "weak_learner",
    "ball_learner": "weak_learner",
    "ball_learner_whole": "weak_learner",
    "ball_learner_detail": "weak_learner",
}

ROOMS = ("include", "src", "cli", "tests", "bench", "python")
DETAIL = "_detail.hpp"
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*["<]([^">]+)[">]', re.MULTILINE)
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)


def owner_of(source):
    """The header whose work a source does; None where there is none."""
    if source in PART_OF:
        return PART_OF[source]
    fitting = [header for header in ORDER if source == header or source.startswith(header + "_")]
    return max(fitting, key=len, default=None)


def includes(path):
    """(line, name) of every include of a file."""
    text = COMMENT.sub(lambda c: "\n" * c.group().count("\n"), path.read_text(encoding="utf-8"))
    return [(text.count("\n", 0, m.start()) + 1, m.group(1)) for m in INCLUDE.finditer(text)]


def noun(name):
    """The public header an include names, without folder and ending; None for any other include."""
    match = re.fullmatch(r"(?:.*/)?shapeboost/([^/]+)\.hpp", name)
    return match.group(1) if match and not name.endswith(DETAIL) else None


def faults(root):
    """Every fault below root as 'file:line: sentence'."""
    found = []

    def fault(path, line, sentence):
        found.append(f"{path.relative_to(root).as_posix()}:{line}: {sentence}")

    def check(path, owner, allow_own, seen, chain):
        """The public headers that `path`, and the private headers it includes, may see from `owner`."""
        if path in seen:
            return
        seen.add(path)
        limit = ORDER.index(owner) + (1 if allow_own else 0)
        for line, name in includes(path):
            target = noun(name)
            if target is not None:
                if target not in ORDER:
                    fault(path, line, f"includes {target}.hpp, which is not in the list of headers")
                elif ORDER.index(target) >= limit:
                    fault(path, line, f"{owner} must not include {target}.hpp, which is not above it{chain}")
            elif name.endswith(DETAIL):
                private = root / "src" / pathlib.PurePosixPath(name).name
                if private.is_file():
                    via = f" (by way of {path.name})" if path.suffix == ".cpp" else chain
                    check(private, owner, allow_own, seen, via)

    for path in sorted(root.glob("include/**/*.hpp")):
        if path.stem not in ORDER:
            fault(path, 1, f"{path.stem}.hpp is not in the list of headers")
        else:
            check(path, path.stem, False, set(), "")

    for path in sorted(root.glob("src/**/*.cpp")):
        owner = owner_of(path.stem)
        if owner is None:
            fault(path, 1, f"no header is called {path.stem}: say in PART_OF whose part it is")
        else:
            check(path, owner, True, set(), "")

    for path in sorted(root.glob("src/**/*.hpp")):
        if not path.name.endswith(DETAIL):
            fault(path, 1, f"a private header's name ends in {DETAIL}")

    for path in sorted(p for room in ROOMS for p in root.glob(f"{room}/**/*.[ch]pp")):
        room = path.relative_to(root).parts[0]
        for line, name in includes(path):
            if name.endswith(DETAIL) and room != "src":
                fault(path, line, f"includes {name}, which is private to src")
            if room in ("include", "src"):
                beside = (path.parent / name).is_file() or (root / "include" / name).is_file()
                if "cli" in pathlib.PurePosixPath(name).parts[:-1] or (
                    not beside and (root / "cli" / name).is_file()
                ):
                    fault(path, line, f"the library includes {name} from cli")
    return sorted(set(found))


def self_test():
    good = {
        "include/shapeboost/base.hpp": "#include <string>\n",
        "include/shapeboost/lp.hpp": '#include <shapeboost/base.hpp>\n/*\n#include "shapeboost/model.hpp"\n*/',
        "src/lp.cpp": '#include "shapeboost/lp.hpp"\n#include "rows_detail.hpp"\n',
        "src/rows_detail.hpp": "#include <shapeboost/base.hpp>\n",
        "src/ball_learner.cpp": '#include "shapeboost/weak_learner.hpp"\n',
        "src/reader_ts.cpp": '#include "shapeboost/reader.hpp"\n',
        "cli/main.cpp": '#include "options.hpp"\n#include <shapeboost/record.hpp>\n',
        "cli/options.hpp": "#include <CLI/CLI.hpp>\n",
        "tests/lp_test.cpp": '#include "shapeboost/lp.hpp"\n',
    }
    # One broken rule each: the files that break it, and where the fault must be found.
    bad = {
        "header includes one below": (
            {"include/shapeboost/base.hpp": '\n#include "shapeboost/lp.hpp"\n'},
            "include/shapeboost/base.hpp:2: base must not",
        ),
        "header includes itself": (
            {"include/shapeboost/lp.hpp": "#include <shapeboost/lp.hpp>\n"},
            "include/shapeboost/lp.hpp:1: lp must not",
        ),
        "header missing from the list": (
            {"include/shapeboost/utils.hpp": ""},
            "include/shapeboost/utils.hpp:1: utils.hpp is not in the list",
        ),
        "include missing from the list": (
            {"src/lp.cpp": '#include "shapeboost/lp.hpp"\n#include "shapeboost/utils.hpp"\n'},
            "src/lp.cpp:2: includes utils.hpp",
        ),
        "source includes a header below": (
            {"src/lp.cpp": '#include "shapeboost/lp.hpp"\n\n  #  include <shapeboost/master.hpp>\n'},
            "src/lp.cpp:3: lp must not include master.hpp",
        ),
        "part of a header's work, by its name, includes a header below": (
            {"src/reader_ts.cpp": '#include "shapeboost/kernel.hpp"\n'},
            "src/reader_ts.cpp:1: reader must not include kernel.hpp",
        ),
        "part of a header's work includes a header below": (
            {"src/ball_learner.cpp": '#include "shapeboost/master.hpp"\n'},
            "src/ball_learner.cpp:1: weak_learner must not include master.hpp",
        ),
        "source includes a header below by way of a private one": (
            {"src/rows_detail.hpp": '#include "shapeboost/master.hpp"\n'},
            "src/rows_detail.hpp:1: lp must not include master.hpp, which is not above it (by way of lp.cpp)",
        ),
        "source without a header": (
            {"src/helpers.cpp": ""},
            "src/helpers.cpp:1: no header is called helpers",
        ),
        "private header without the ending": (
            {"src/rows.hpp": ""},
            "src/rows.hpp:1: a private header's name",
        ),
        "source includes cli by folder": (
            {"src/lp.cpp": '#include "../cli/options.hpp"\n'},
            "src/lp.cpp:1: the library includes ../cli/options.hpp",
        ),
        "header includes cli by name": (
            {"include/shapeboost/lp.hpp": '#include "options.hpp"\n'},
            "include/shapeboost/lp.hpp:1: the library includes options.hpp",
        ),
        "test includes a private header": (
            {"tests/lp_test.cpp": '#include "../src/rows_detail.hpp"\n'},
            "tests/lp_test.cpp:1: includes ../src/rows_detail.hpp",
        ),
        "public header includes a private one": (
            {"include/shapeboost/lp.hpp": '#include "rows_detail.hpp"\n'},
            "include/shapeboost/lp.hpp:1: includes rows_detail.hpp",
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
    elif len(arguments) == 1 and (pathlib.Path(arguments[0]) / "include" / "shapeboost").is_dir():
        found = faults(pathlib.Path(arguments[0]))
    else:
        print(__doc__, file=sys.stderr)
        return 2
    print("\n".join(found) if found else "includes: no fault")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
