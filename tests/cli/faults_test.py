#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every call to the system that may fail, failing: full disks, interrupted calls, halves written, no more threads.

    SHAPEBOOST_BIN=build/dev/shapeboost SHAPEBOOST_FAULTS=build/dev/tests/libfaulty_calls.so tests/cli/faults_test.py

The n-th call fails, for every n until there is none: no crash, no hang, no half-written file, one sentence.
"""

import os
import shutil
import unittest

from case import BIN, CliTest, run

FAULTS = os.environ.get("SHAPEBOOST_FAULTS", "")
ONCE = {"EINTR", "EAGAIN", "short"}  # after which everything must be as if nothing had happened
HOW = {"write": ("ENOSPC", "EIO", "EINTR", "short"), "read": ("EIO", "EINTR", "short"), "open": ("EACCES", "EMFILE"),
       "rename": ("EACCES", "ENOSPC"), "fsync": ("EIO", "ENOSPC"), "close": ("EIO",), "pthread_create": ("EAGAIN",)}
HARMLESS = {("pthread_create", "EAGAIN")}  # fewer threads, the same answer
MOST = 400  # calls, of which there are far fewer


@unittest.skipUnless(FAULTS, "built without the library that makes calls fail")
class Faults(CliTest):
    def exhaust(self, command, output, old=b"what was there before\n", keeps=()):
        """`command` writes `output`, and nothing else beside the files it `keeps`."""
        for name in ("train.tsv", "test.tsv", "bags.csv", "series.json"):
            shutil.copy(self.given / name, self.dir)
        given = sorted(os.listdir(self.dir))
        self.assertEqual(run(*command, cwd=self.dir).returncode, 0)
        expected = (self.dir / output).read_bytes()
        for call, ways in HOW.items():
            for how in ways:
                fired = self.every_call(command, output, old, expected, call, how, set(given) | {output, *keeps}, keeps)
                self.assertTrue(fired or (call == "pthread_create" and "--threads" not in command), f"{call} is never called")

    def every_call(self, command, output, old, expected, call, how, allowed, keeps):
        for n in range(1, MOST):
            for name in keeps:
                (self.dir / name).unlink(missing_ok=True)
            (self.dir / output).write_bytes(old)
            mark = self.dir / "mark"
            faults = {"LD_PRELOAD": FAULTS, "FAULTY_CALL": call, "FAULTY_AT": str(n), "FAULTY_HOW": how,
                      "FAULTY_MARK": str(mark)}
            done = run(*command, cwd=self.dir, env={**os.environ, **faults})
            with self.subTest(command=command, call=call, how=how, n=n):
                fired = mark.exists()
                mark.unlink(missing_ok=True)
                found = (self.dir / output).read_bytes()
                self.assertIn(done.returncode, (0, 1, 2), done)
                self.assertLessEqual(set(os.listdir(self.dir)), allowed)
                if how in ONCE or not fired or (call, how) in HARMLESS:
                    self.assertEqual(done.returncode, 0, done.stderr)
                if done.returncode == 0:
                    self.assertEqual(found, expected)
                else:
                    self.assertIn(found, (old, expected))
                    self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
                    self.assertRegex(done.stderr, r"^shapeboost: .*: [A-Z].*")
            if not fired:
                return n - 1
        self.fail(f"{call} is called more than {MOST} times")

    def test_fit(self):
        self.exhaust(("fit", "train.tsv", "--model", "m.json", "--members", 3, "--threads", 3, "--quiet"), "m.json")

    def test_predict(self):
        self.exhaust(("predict", "test.tsv", "--model", "series.json", "--out", "p.csv"), "p.csv")

    def test_tune(self):
        self.exhaust(("tune", "train.tsv", "--grid", "nu=0.1,0.2", "--members", 1, "--folds", 2, "--threads", 2,
                      "--rounds", 3, "--model", "m.json", "--journal", "j", "--quiet"), "m.json", keeps=("j",))

    def test_report(self):
        self.exhaust(("report", "test.tsv", "--model", "series.json", "--threads", 2, "--out", "r.html"),
                     "r.html")

    def test_explain(self):
        self.exhaust(("explain", "test.tsv", "--model", "series.json", "--index", 1, "--svg", "e.svg"),
                     "e.svg")

    def test_convert(self):
        self.exhaust(("convert", "train.tsv", "t.ts", "--quiet"), "t.ts")


if __name__ == "__main__":
    unittest.main()
