#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Models that earlier versions wrote (old_models/): each loads and predicts what it predicted when it was written.

    SHAPEBOOST_BIN=build/dev/shapeboost tests/cli/old_models_test.py

<name>.v<version>.json is a model file of that version, <name>.v<version>.csv what its own program answered, and <name>.tsv or .csv the data.
A new version of the format adds files and changes none.
"""

import csv
import pathlib
import unittest

from case import CliTest

FOLDER = pathlib.Path(__file__).parent / "old_models"


class OldModels(CliTest):
    def test_they_predict_what_they_did(self):
        models = sorted(FOLDER.glob("*.json"))
        self.assertGreaterEqual({path.suffixes[-2] for path in models}, {".v2", ".v3", ".v4"})
        for path in models:
            with self.subTest(model=path.name):
                (data,) = [p for p in FOLDER.glob(path.name.split(".")[0] + ".*") if len(p.suffixes) == 1]
                found = list(csv.DictReader(self.good("predict", data, "--model", path).splitlines()))
                expected = list(csv.DictReader(path.with_suffix(".csv").read_text().splitlines()))
                self.assertEqual(len(found), len(expected))
                for new, old in zip(found, expected):
                    self.assertEqual(new.keys(), old.keys())
                    for name, value in old.items():
                        if name.startswith(("score", "probability")):
                            # Evidence is read in single precision, by whichever instructions the processor has.
                            self.assertAlmostEqual(float(new[name]), float(value), delta=1e-5 * (1.0 + abs(float(value))))
                        else:
                            self.assertEqual(new[name], value)
                self.good("info", path)
                self.good("explain", data, "--model", path, "--index", 1)


if __name__ == "__main__":
    unittest.main()
