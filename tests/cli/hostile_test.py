#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the program does with outputs that are inputs, odd descriptors, too little memory, and numbers at the edge.

    SHAPEBOOST_BIN=build/dev/shapeboost tests/cli/hostile_test.py
"""

import json
import math
import os
import pathlib
import random
import resource
import struct
import subprocess
import tempfile
import unittest

from case import BIN, PATIENCE, CliTest, bags, limits_memory, run, series


def rows_and_gram(count=12):
    """Bags of one instance each, rows of a matrix whose two blocks are the classes."""
    rows = "bag,label,f1\n" + "".join(f"b{i},{i % 2},{i}\n" for i in range(count))
    gram = "".join(",".join(str(1.0 if i == j else 0.5 if i % 2 == j % 2 else 0.1) for j in range(count)) + "\n"
                   for i in range(count))
    return rows, gram


class Outputs(CliTest):
    def unharmed(self, *args, says, keeps):
        kept = (self.dir / keeps).read_bytes()
        self.refused(*args, says=says)
        self.assertEqual((self.dir / keeps).read_bytes(), kept)

    def test_no_output_is_the_gram_matrix(self):
        rows, gram = rows_and_gram()
        self.write("rows.csv", rows)
        self.write("gram.csv", gram)
        os.symlink("gram.csv", self.dir / "link.csv")
        os.link(self.dir / "gram.csv", self.dir / "hard.csv")
        self.good("fit", "rows.csv", "--gram", "gram.csv", "--model", "m.json", "--quiet")
        used = ("rows.csv", "--gram", "gram.csv")
        for name in ("gram.csv", "./gram.csv", "link.csv", "hard.csv"):
            for command in (("fit", *used, "--model", name),
                            ("tune", *used, "--grid", "nu=0.1,0.2", "--model", name),
                            ("tune", *used, "--grid", "nu=0.1,0.2", "--model", "n.json", "--results", name),
                            ("tune", *used, "--grid", "nu=0.1,0.2", "--model", "n.json", "--journal", name),
                            ("predict", *used, "--model", "m.json", "--out", name),
                            ("report", *used, "--model", "m.json", "--out", name),
                            ("explain", *used, "--model", "m.json", "--index", 1, "--svg", name),
                            ("explain", *used, "--model", "m.json", "--index", 1, "--patterns", name)):
                with self.subTest(command=command):
                    self.unharmed(*command, says="--gram and --", keeps="gram.csv")

    def test_no_output_is_the_other_file_of_c45(self):
        self.write("b.csv", bags(1).replace(";x", ""))
        self.good("convert", "b.csv", "e.data", "--quiet")
        self.good("fit", "e.data", "--model", "m.json", "--quiet")
        for given, other in (("e.data", "e.names"), ("e.names", "e.data")):
            for command in (("fit", given, "--model", other),
                            ("tune", given, "--grid", "nu=0.1,0.2", "--model", other),
                            ("predict", given, "--model", "m.json", "--out", other),
                            ("report", given, "--model", "m.json", "--out", other),
                            ("explain", given, "--model", "m.json", "--index", 1, "--svg", other)):
                with self.subTest(command=command):
                    self.unharmed(*command, says="are the same file", keeps=other)

    def array(self, name, kind, shape, numbers=b""):
        """What numpy.save writes."""
        head = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}".encode().ljust(118)
        (self.dir / name).write_bytes(b"\x93NUMPY\x01\x00" + len(head).to_bytes(2, "little") + head + numbers)

    def test_no_output_is_the_labels_of_an_array(self):
        self.array("a.npy", "<f8", (12, 8), struct.pack("<96d", *(math.sin(k * k) + k // 8 % 2 for k in range(96))))
        self.array("a_y.npy", "<i8", (12,), struct.pack("<12q", *(k % 2 for k in range(12))))
        self.good("fit", "a.npy", "--model", "m.json", "--members", 2, "--quiet")
        for command in (("fit", "a.npy", "--model", "a_y.npy"), ("predict", "a.npy", "--model", "m.json", "--out", "a_y.npy"),
                        ("report", "a.npy", "--model", "m.json", "--out", "a_y.npy"), ("convert", "a.npy", "a_y.npy")):
            with self.subTest(command=command):
                self.unharmed(*command, says="are the same file", keeps="a_y.npy")

    @limits_memory
    def test_arrays_take_no_more_memory_than_their_files(self):
        self.array("a.npy", "<f4", (1, 16_000_000), bytes(8))
        self.array("b.npy", "<f4", (1_099_511_627_776, 1), bytes(8))
        self.array("b_y.npy", "<U0", (1_099_511_627_776,))

        def little_memory():
            resource.setrlimit(resource.RLIMIT_AS, (120 << 20, 120 << 20))

        for name, says in (("a.npy", "a.npy: cut short behind 0 series of 1\n"), ("b.npy", "b_y.npy: expected labels that are ")):
            done = run("convert", name, "c.ts", cwd=self.dir, preexec_fn=little_memory)
            self.assertEqual(done.returncode, 2, done)
            self.assertIn(says, done.stderr)

    def test_labels_of_arrays_add_no_lines_to_an_answer(self):
        self.array("a.npy", "<f8", (12, 8), struct.pack("<96d", *(math.sin(k * k) + k // 8 % 2 for k in range(96))))
        self.array("a_y.npy", "<U2", (12,), "".join(f"{'ab'[k % 2]}\0" for k in range(12)).encode("utf-32-le"))
        self.good("fit", "a.npy", "--model", "m.json", "--members", 2, "--quiet")
        for odd in ("b\n", "\x1bb", "\x9bb"):
            self.array("a_y.npy", "<U2", (12,), "".join("a\0" if k % 2 == 0 else odd for k in range(12)).encode("utf-32-le"))
            for command in (("fit", "a.npy", "--model", "n.json"), ("predict", "a.npy", "--model", "m.json")):
                with self.subTest(odd=odd, command=command):
                    self.refused(*command, says="a_y.npy: label 2: expected no control characters")

    @unittest.skipUnless(os.access("/dev/shm", os.W_OK), "no /dev/shm here")
    def test_plain_files_are_replaced_wherever_they_lie(self):
        with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
            out = pathlib.Path(folder) / "p.csv"
            out.write_text("old\n" * 1000)
            answer = self.good("predict", self.given / "test.tsv", "--model", self.given / "series.json")
            self.good("predict", self.given / "test.tsv", "--model", self.given / "series.json", "--out", out)
            self.assertEqual(out.read_text(), answer)

    def test_what_the_shell_opened_is_written_where_it_stands(self):
        ask = [BIN, "predict", self.given / "test.tsv", "--model", self.given / "series.json"]
        answer = subprocess.run(ask, capture_output=True, text=True, timeout=PATIENCE).stdout
        (self.dir / "log").write_text("before\n")
        with open(self.dir / "log", "a") as log:  # as >>
            subprocess.run([*ask, "--out", "/dev/stdout"], stdout=log, timeout=PATIENCE, check=True)
        self.assertEqual((self.dir / "log").read_text(), "before\n" + answer)

    def test_a_closed_stream_is_nobodys_file(self):
        self.write("train.tsv", series(1))
        for stream in (0, 1, 2):
            with self.subTest(stream=stream):
                done = subprocess.run(
                    [BIN, "tune", "train.tsv", "--grid", "nu=0.1,0.2", "--folds", "2", "--model", "m.json", "--journal",
                     f"j{stream}"], cwd=self.dir, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL, preexec_fn=lambda: os.close(stream), timeout=PATIENCE)
                self.assertEqual(done.returncode, 2 if stream == 1 else 0)
                journal = (self.dir / f"j{stream}").read_text().splitlines()
                self.assertTrue(all(line.startswith("{") for line in journal), journal)
        with open(os.devnull) as reading:
            self.refused("predict", "train.tsv", "--model", self.given / "series.json", "--out", "/dev/stdin",
                         stdin=reading, says="cannot write /dev/stdin: it is not open for writing")


    def test_what_was_written_is_told_when_nothing_can_be_printed(self):
        for args in (("fit", "train.tsv", "--model", "new.json"), ("fit", "train.tsv", "--json", "--model", "new.json"),
                     ("tune", "train.tsv", "--grid", "nu=0.1,0.2", "--folds", "2", "--model", "new.json"),
                     ("report", "train.tsv", "--model", "series.json", "--out", "new.html"),
                     ("convert", "train.tsv", "new.ts"),
                     ("predict", "train.tsv", "--json", "--model", "series.json", "--out", "new.csv"),
                     ("explain", "train.tsv", "--model", "series.json", "--index", "1", "--svg", "new.svg")):
            for name in ("train.tsv", "series.json"):
                self.write(name, (self.given / name).read_text())
            with self.subTest(args=args), open("/dev/full", "w") as full:
                done = subprocess.run([BIN, *args], cwd=self.dir, stdout=full, stderr=subprocess.PIPE, text=True,
                                      timeout=PATIENCE)
                new = next(path for path in args if path.startswith("new"))
                self.assertEqual(done.stderr, "shapeboost: cannot write to standard output: No space left on device; "
                                 f"{new} was written\n")
                self.assertEqual(done.returncode, 2)
                self.assertTrue((self.dir / new).exists())

    def test_a_terminal_is_given_no_control_characters(self):
        odd = "\x1b]0;title\x07\x9b31m"
        self.write("odd.tsv", series(1).replace("b\t", odd + "\t"))
        raw = self.good("fit", "odd.tsv", "--model", "m.json")
        self.assertIn(odd, raw)  # a pipe gets what the file says
        for command in (["fit", "odd.tsv", "--model", "m.json"], ["info", "m.json"], ["predict", "odd.tsv", "--model", "m.json"],
                        ["explain", "odd.tsv", "--model", "m.json"], ["evaluate", "odd.tsv", "--model", "m.json"]):
            with self.subTest(command=command):
                master, terminal = os.openpty()
                with subprocess.Popen([BIN, *command], cwd=self.dir, stdin=subprocess.DEVNULL, stdout=terminal,
                                      stderr=subprocess.DEVNULL) as running:
                    os.close(terminal)
                    shown = b""
                    try:
                        while piece := os.read(master, 65536):
                            shown += piece
                    except OSError:  # Linux says so when the other side is closed
                        pass
                    os.close(master)
                    self.assertEqual(running.wait(PATIENCE), 0)
                self.assertIn("?]0;title???31m", shown.decode())
                self.assertNotRegex(shown.decode(), r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
        done = run("predict", odd + ".tsv", "--model", "m.json", cwd=self.dir)
        self.assertNotRegex(done.stderr, r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


class Interrupted(CliTest):
    def test_probabilities_of_no_examples_are_none(self):
        self.write("train.tsv", series(1))
        told = self.good("fit", "train.tsv", "--model", "m.json", "--probability", "--time-limit", "1e-9")
        self.assertIn("stopped before probabilities were learned: the model answers without them", told)
        self.assertNotIn("calibration", json.loads((self.dir / "m.json").read_text()))
        self.assertNotIn("probability", self.good("predict", "train.tsv", "--model", "m.json"))


class Numbers(CliTest):
    def scaled(self, text, unit, first):
        """The data with their numbers, from column `first` on, in another unit."""
        lines = []
        for line in text.splitlines():
            mark = "\t" if "\t" in line else ","
            fields = line.split(mark)
            if fields[0] != "bag":
                fields[first:] = [repr(unit * float(x)) for x in fields[first:]]
            lines.append(mark.join(fields))
        return "\n".join(lines) + "\n"

    def test_what_is_too_large_or_too_small_is_refused(self):
        self.write("m.json", (self.given / "series.json").read_text())
        for unit in (1e101, 1e154, 1e160, 1e300):
            self.write("s.tsv", self.scaled(series(1), unit, 1))
            self.write("b.csv", self.scaled(bags(1), unit, 2))
            for args in (("fit", "s.tsv", "--kernel", "dtw", "--lengths", 0.3, "--members", 1, "--model", "n.json"),
                         ("fit", "s.tsv", "--model", "n.json"), ("fit", "b.csv", "--model", "n.json"),
                         ("predict", "s.tsv", "--model", "m.json"), ("evaluate", "s.tsv", "--model", "m.json"),
                         ("explain", "s.tsv", "--model", "m.json", "--index", 2, "--svg", "x.svg"),
                         ("report", "s.tsv", "--model", "m.json")):
                with self.subTest(unit=unit, args=args):
                    self.refused(*args, says="expected numbers up to 1e+100 in size, found ")
        self.write("s.tsv", self.scaled(series(1), 1e-160, 1))
        self.refused("fit", "s.tsv", "--model", "n.json", says="s.tsv: expected numbers of at least 1e-100 in size")

    def test_no_answer_is_nan(self):
        self.write("b.csv", bags(1))
        self.good("fit", "b.csv", "--kernel", "polynomial", "--degree", 4, "--members", 1, "--model", "m.json", "--quiet")
        self.write("large.csv", self.scaled(bags(1), 1e99, 2))
        for args in (("predict",), ("predict", "--instances"), ("evaluate",), ("explain", "--index", 1, "--svg", "x.svg"),
                     ("explain", "--index", 1, "--patterns", "x.svg"), ("explain",), ("report",)):
            with self.subTest(args=args):
                self.refused(args[0], "large.csv", "--model", "m.json", *args[1:], says="too large for the model")


class Machine(CliTest):
    @limits_memory
    def test_threads_that_cannot_be_had(self):
        """Fewer threads, or out of memory; never a hang or a crash."""
        self.write("train.tsv", series(1))

        def little_memory():
            resource.setrlimit(resource.RLIMIT_AS, (400_000 * 1024, 400_000 * 1024))

        for args in (("fit", "train.tsv", "--model", "m.json", "--quiet"),
                     ("predict", "train.tsv", "--model", self.given / "series.json", "--out", "p.csv")):
            with self.subTest(args=args):
                done = run(*args, "--threads", 64, cwd=self.dir, preexec_fn=little_memory)
                self.assertIn(done.returncode, (0, 1), done)
                self.assertEqual(done.stderr.count("\n"), done.returncode, done)

    def peak(self, code, *args):
        """Most memory that a command held, in MB."""
        child = subprocess.Popen([BIN, *map(str, args)], cwd=self.dir, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(child.returncode, code, args)
        return usage.ru_maxrss / 1024

    @limits_memory
    def test_short_lines_with_huge_feature_numbers_take_little_memory(self):
        """The largest number is refused early, the largest that is taken costs some 40 bytes each up to it, however it is used."""
        self.write("refused.svm", "0 100000000:1\n1 99999999:1\n0 5:1\n1 100000000:2\n")
        self.write("few.svm", "0 1048576:1\n1 1048575:1\n0 5:1\n1 1048576:2\n")
        rng = random.Random(1)
        self.write("many.svm", "".join(f"{i % 2} {rng.randrange(1, 1 << 20)}:1\n" for i in range(1000)))
        least = self.peak(0, "--version")
        self.assertLess(self.peak(2, "fit", "refused.svm", "--model", "m.json"), least + 16)
        for name in ("few.svm", "many.svm"):
            for members in (1, 3):
                with self.subTest(name=name, members=members):
                    self.assertLess(self.peak(0, "fit", name, "--members", members, "--model", "m.json"), least + 64)
                    self.assertLess(self.peak(0, "predict", name, "--model", "m.json"), least + 32)

    @limits_memory
    def test_memory_that_runs_out_while_a_model_is_read(self):
        self.write("m.json", '{"format": "shapeboost model", "x": [' + "[0]," * 5_000_000 + "[0]]}")

        def little_memory():
            resource.setrlimit(resource.RLIMIT_AS, (300 << 20, 300 << 20))

        done = run("info", "m.json", cwd=self.dir, preexec_fn=little_memory)
        self.assertEqual(done.stderr, "shapeboost: out of memory; a smaller --memory may help\n")
        self.assertEqual(done.returncode, 1)

    def test_more_threads_than_any_machine_has(self):
        wanted = self.good("predict", self.given / "test.tsv", "--model", self.given / "series.json", "--threads", 1)
        for threads in (100_000, 2**31 - 1):
            self.assertEqual(self.good("predict", self.given / "test.tsv", "--model", self.given / "series.json",
                                       "--threads", threads), wanted)


if __name__ == "__main__":
    unittest.main()
