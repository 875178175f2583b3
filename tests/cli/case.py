# SPDX-License-Identifier: MIT
"""What the tests of the command line share: the program, small data, and how it must succeed or refuse."""

import json
import math
import os
import pathlib
import random
import re
import subprocess
import tempfile
import unittest

BIN = os.environ["SHAPEBOOST_BIN"]
PATIENCE = 300  # seconds: far more than anything here takes; a hang is a failure, not a wait
LIBSVM = os.environ.get("SHAPEBOOST_LIBSVM", "ON") == "ON"  # whether the program was built with it
needs_libsvm = unittest.skipUnless(LIBSVM, "built without libsvm")
limits_memory = unittest.skipIf(os.environ.get("SHAPEBOOST_SANITIZE"), "sanitizers reserve more memory than any limit")


def run(*args, cwd=None, **more):
    return subprocess.run([BIN, *map(str, args)], cwd=cwd, capture_output=True, text=True, errors="replace",
                          timeout=PATIENCE, **more)


def series(seed, count=16, length=40, noise=0.2):
    """Class b has a hump somewhere; class a has none."""
    rng = random.Random(seed)
    lines = []
    for i in range(count):
        values = [rng.gauss(0.0, noise) for _ in range(length)]
        if i % 2:
            begin = rng.randrange(length - 10)
            for t in range(10):
                values[begin + t] += 2.0 * math.sin(math.pi * (t + 0.5) / 10)
        lines.append("\t".join(["b" if i % 2 else "a", *map(repr, values)]))
    return "\n".join(lines) + "\n"


def hard_series(seed=1):
    """Labels that mean nothing: boosting goes on for long."""
    rng = random.Random(seed)
    return "\n".join(
        "\t".join([rng.choice("ab"), *(repr(rng.gauss(0.0, 1.0)) for _ in range(150))]) for _ in range(120)
    ) + "\n"


def bags(seed, count=12):
    """Bag names that need quotes in CSV; class 1 has an instance near (3, 3)."""
    rng = random.Random(seed)
    lines = ["bag,label,f1,f2"]
    for i in range(count):
        for k in range(4):
            centre = 3.0 if i % 2 and k == 2 else 0.0
            lines.append(f"bag {i};x,{i % 2},{rng.gauss(centre, 0.3)!r},{rng.gauss(centre, 0.3)!r}")
    return "\n".join(lines) + "\n"


def three_classes(seed, count=24, length=40):
    """a: nothing but noise, b: a hump, c: a dip."""
    rng = random.Random(seed)
    lines = []
    for i in range(count):
        values = [rng.gauss(0.0, 0.2) for _ in range(length)]
        begin = rng.randrange(length - 10)
        for t in range(10):
            values[begin + t] += (0.0, 2.0, -2.0)[i % 3] * math.sin(math.pi * (t + 0.5) / 10)
        lines.append("\t".join(["abc"[i % 3], *map(repr, values)]))
    return "\n".join(lines) + "\n"


def with_digest(model):
    """The text of a model file; docs/model.md says what the digest is."""
    model.pop("digest", None)
    hash = 0xCBF29CE484222325
    for byte in json.dumps(model, separators=(",", ":"), ensure_ascii=False).encode():
        hash = (hash ^ byte) * 0x100000001B3 % 2**64
    return json.dumps({**model, "digest": f"{hash:016x}"}, ensure_ascii=False)


def altered(text, pattern, replacement):
    """A model file with one change, made in the text: Python would write its numbers another way."""
    compact = re.sub(r'("(?:[^"\\]|\\.)*")|\s+', lambda m: m.group(1) or "", text)
    body = re.sub(r',"digest":"[0-9a-f]{16}"\}$', "}", compact)
    body, changes = re.subn(pattern, replacement, body, count=1)
    assert changes == 1, pattern
    hash = 0xCBF29CE484222325
    for byte in body.encode():
        hash = (hash ^ byte) * 0x100000001B3 % 2**64
    return body[:-1] + f',"digest":"{hash:016x}"}}'


class CliTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.shared = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.shared.cleanup)
        cls.given = pathlib.Path(cls.shared.name)
        (cls.given / "train.tsv").write_text(series(1))
        (cls.given / "test.tsv").write_text(series(2))
        (cls.given / "bags.csv").write_text(bags(1))
        # By default both get a head.
        for data, model, *more in (("train.tsv", "series.json"), ("bags.csv", "bags.json"),
                                   ("train.tsv", "average.json", "--head", "average"),
                                   ("bags.csv", "average_bags.json", "--head", "average")):
            done = run("fit", data, "--model", model, "--quiet", *more, cwd=cls.given)
            assert done.returncode == 0 and done.stdout == "" and done.stderr == "", done

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.dir = pathlib.Path(folder.name)

    def write(self, name, text):
        (self.dir / name).write_bytes(text if isinstance(text, bytes) else text.encode())
        return name

    def good(self, *args, **more):
        done = run(*args, cwd=self.dir, **more)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr, "")
        return done.stdout

    def refused(self, *args, says, **more):
        """One sentence, exit code 2, nothing on standard output, nothing written."""
        before = sorted(os.listdir(self.dir))
        done = run(*args, cwd=self.dir, **more)
        self.assertEqual(done.returncode, 2, done)
        self.assertEqual(done.stdout, "")
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertTrue(done.stderr.startswith("shapeboost: "), done.stderr)
        self.assertIn(says, done.stderr)
        self.assertEqual(sorted(os.listdir(self.dir)), before)
        return done.stderr
