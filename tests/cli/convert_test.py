#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`shapeboost convert`: every format, there and back.

    SHAPEBOOST_BIN=build/dev/shapeboost tests/cli/convert_test.py
"""

import gzip
import json
import os
import pathlib
import re
import tempfile
import unittest

from case import bags, CliTest, series


class Convert(CliTest):
    # Of each kind of data the files that hold it, the first as it is written.
    SERIES = "a\t0.1\t-5e-324\t1e+22\nb\t3\tNaN\t2\n\t5\tNaN\tNaN\n"
    CHANNELS = ("@problemName data\n@timeStamps false\n@missing true\n@univariate false\n@dimensions 2\n"
                "@equalLength false\n@classLabel true a b\n@data\n1,?,3:4,5,?:b\n1,2:3,4.5:a\n7:8:?\n")
    BAGS = "bag,label,f1,f2\n1,-1,0.5,0\n1,-1,0,0\n2,1,1e-05,-3\n"
    SEQUENCES = "a\tACgt\nleft arm\t" + 100 * "MK" + "\n?\tG\n"

    def test_there_and_back(self):
        for first, text, others in (
            ("s.tsv", self.SERIES, ("s.csv", "s.txt", "s.ts", "s.arff")),
            ("c.ts", self.CHANNELS, ("c.arff",)),
            ("b.csv", self.BAGS, ("b.tsv", "b.txt", "b.arff", "b.data", "b.names", "b.svm", "b.svmlight", "b.libsvm")),
            ("q.tab", self.SEQUENCES, ("q.tsv", "q.txt", "q.fasta", "q.fa")),
        ):
            for other in (*others, *(name + ".gz" for name in (first, *others))):
                with self.subTest(first=first, other=other):
                    folder = pathlib.Path(tempfile.mkdtemp(dir=self.dir))
                    (folder / first).write_text(text)
                    self.assertEqual(self.good("convert", folder / first, folder / other, "--quiet"), "")
                    self.good("convert", folder / other, folder / ("back." + first), "--quiet")
                    self.assertEqual((folder / ("back." + first)).read_text(), text)
                    compressed = (folder / other).read_bytes().startswith(b"\x1f\x8b")
                    self.assertEqual(compressed, other.endswith(".gz"))

    def test_through_every_format(self):
        """A chain of conversions: what one program writes, the next reads."""
        for names in (("b.csv", "b.arff", "b.data.gz", "b.svm", "b.tsv", "b2.csv"),
                      ("q.tab", "q.fa", "q.txt.gz", "q2.tab"),
                      ("s.tsv", "s.ts", "s.arff.gz", "s2.tsv")):
            text = {"b": self.BAGS, "q": self.SEQUENCES, "s": self.SERIES}[names[0][0]]
            self.write(names[0], text)
            for before, after in zip(names, names[1:]):
                self.good("convert", before, after, "--quiet")
            self.assertEqual((self.dir / names[-1]).read_text(), text)

    def test_what_it_prints(self):
        self.write("b.csv", self.BAGS)
        self.write("c.ts", self.CHANNELS)
        self.write("q.tab", self.SEQUENCES)
        self.assertEqual(self.good("convert", "b.csv", "b.arff"),
                         "b.arff: 2 bags of 1 to 2 instances with 2 features, as arff\n")
        self.assertEqual(self.good("convert", "c.ts", "c.arff"),
                         "c.arff: 3 series of 1 to 3 values in 2 channels, some missing, as arff\n")
        self.assertEqual(self.good("convert", "q.tab", "q.fa"), "q.fa: 3 sequences of 1 to 200 symbols, as fasta\n")
        record = json.loads(self.good("convert", "c.ts", "d.ts.gz", "--json"))
        self.assertEqual(record, {"in": "c.ts", "out": "d.ts.gz", "format": "ts", "kind": "series", "examples": 3,
                                  "classes": ["a", "b"], "width": 2, "min_length": 1, "max_length": 3, "missing": True})

    def test_formats_can_be_named(self):
        self.write("numbers", "1,1,2\n1,1,3\n2,0,4\n")
        self.good("convert", "numbers", "bags", "--from", "mil", "--to", "svmlight", "--quiet")
        self.assertEqual((self.dir / "bags").read_text(), "1 qid:1 1:2\n1 qid:1 1:3\n0 qid:2 1:4\n")
        self.assertIn("as ucr", self.good("convert", "numbers", "series.tsv"))
        self.assertEqual((self.dir / "series.tsv").read_text(), "1\t1\t2\n1\t1\t3\n2\t0\t4\n")

    def test_the_examples_of_the_documentation(self):
        text = (pathlib.Path(__file__).parents[2] / "docs" / "formats.md").read_text()
        examples = re.findall(r"^```(\S+)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
        formats = {name.split(".")[0] for name, _ in examples}
        self.assertEqual(formats, {"ucr", "ts", "mil", "arff", "c45", "svmlight", "tab", "fasta"})
        for name, content in examples:
            with self.subTest(name=name, content=content):
                self.write("example." + name.split(".")[-1], content)
                if name == "c45.names":
                    continue  # the .data comes next
                record = json.loads(self.good("convert", "example." + name.split(".")[-1], "out", "--json",
                                              "--to", name.split(".")[0] if name != "c45.data" else "mil"))
                self.assertIn(record["examples"], (2, 3))

    def test_bad_use_and_bad_data(self):
        self.write("s.tsv", self.SERIES)
        self.write("b.csv", self.BAGS)
        self.write("c.ts", self.CHANNELS)
        self.write("alone.data", "a,b,1,1.\n")
        self.write("cut.tsv", gzip.compress(self.SERIES.encode())[:30])
        self.write("bad.arff", "@relation r\n@attribute a {x}\n@attribute class {p}\n@data\nx,p\n")
        self.write("bad.svm", "1 1:2\n1 0:2\n")
        self.write("bad.fa", "ACGT\n")
        self.write("bad.tab", "a\tAC\nb\n")
        os.symlink("s.tsv", self.dir / "link.tsv")
        for args, says in (
            (("s.tsv",), "OUT is required"),
            (("s.tsv", "x.tsv", "--to", "xml"), "--to: expected auto, ucr,"),
            (("none.tsv", "x.ts"), "cannot read none.tsv"),
            (("s.tsv", "x.xyz"), "cannot write x.xyz: the name does not tell the format"),
            (("s.tsv", "none/x.ts"), "the folder none does not exist"),
            (("s.tsv", "./s.tsv"), "IN and OUT are the same file"),
            (("s.tsv", "link.tsv", "--to", "ts"), "IN and OUT are the same file"),
            (("s.tsv", "x.csv", "--to", "mil"), "cannot write x.csv: the mil format is for bags, the data are series"),
            (("b.csv", "x.ts"), "cannot write x.ts: the ts format is for series, the data are bags"),
            (("b.csv", "x.fa"), "cannot write x.fa: the fasta format is for sequences, the data are bags"),
            (("c.ts", "x.tsv"), "cannot write x.tsv: the ucr format is for one channel, the data have 2"),
            (("s.tsv", "x.tsv", "--from", "ts"), "s.tsv, line 1: expected a line with '@'"),
            (("alone.data", "x.csv"), "alone.data: c45 data needs the file alone.names beside it"),
            (("cut.tsv", "x.ts"), "cut.tsv: the gzip file is damaged: it ends too early"),
            (("bad.arff", "x.ts"), "bad.arff: the attribute 'a' is nominal; only numeric features are read"),
            (("bad.svm", "x.csv"), "bad.svm, line 2, column 2: expected a feature's number"),
            (("bad.fa", "x.tab"), "bad.fa, line 1: expected a header"),
            (("bad.tab", "x.fa"), "bad.tab, line 2: expected a label, a tab and a sequence"),
        ):
            with self.subTest(args=args):
                self.refused("convert", *args, says=says)

    def test_c45_never_overwrites_its_own_names(self):
        self.write("b.csv", self.BAGS)
        self.good("convert", "b.csv", "b.data", "--quiet")
        names = (self.dir / "b.names").read_bytes()
        self.refused("convert", "b.data", "b.data.gz", says="IN and OUT are the same file, b.names")
        self.refused("convert", "b.names", "b.data", says="IN and OUT are the same file, b.data")
        self.assertEqual((self.dir / "b.names").read_bytes(), names)

    def test_training_on_other_formats(self):
        for data, other in (("train.tsv", "t.arff.gz"), ("bags.csv", "b.svm")):
            self.good("convert", self.given / data, other, "--quiet")
            self.good("fit", other, "--model", "m.json", "--quiet", "--rounds", "3", "--members", "1")
        self.write("q.tab", self.SEQUENCES)
        self.refused("fit", "q.tab", "--model", "m2.json", says="q.tab: example 3 has no label")


if __name__ == "__main__":
    unittest.main()
