#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The report as a file; report/tests opens it in a browser.

    SHAPEBOOST_BIN=build/dev/shapeboost tests/cli/report_test.py
"""

import json
import unittest

from case import CliTest


class Report(CliTest):
    def test_one_file_that_names_no_other(self):
        for data, model in (("test.tsv", "series.json"), ("bags.csv", "bags.json")):
            out = self.good("report", self.given / data, "--model", self.given / model, "--out", "r.html")
            self.assertIn("r.html: ", out)
            page = (self.dir / "r.html").read_text()
            self.assertTrue(page.startswith("<!doctype html>"))
            self.assertIn("Content-Security-Policy", page)
            for word in ("<link", "src=\"http", "href=\"http", "@import", "url(http"):
                self.assertNotIn(word, page)
            begin = page.index('id="report-data">') + len('id="report-data">')
            held = json.loads(page[begin:page.index("</script>", begin)])
            printed = json.loads(self.good("report", self.given / data, "--model", self.given / model, "--json"))
            self.assertEqual(held, printed)
            self.assertEqual(printed["training"]["source"], "train.tsv" if data == "test.tsv" else "bags.csv")

    def test_it_does_not_depend_on_threads(self):
        pages = []
        for threads in (1, 3):
            self.good("report", self.given / "test.tsv", "--model", self.given / "series.json", "--threads", threads)
            pages.append((self.dir / "report.html").read_bytes())
        self.assertEqual(*pages)

    def test_refuses(self):
        data, model = self.given / "test.tsv", self.given / "series.json"
        self.refused("report", data, "--model", model, "--out", model, says="--out")
        self.refused("report", data, "--model", model, "--examples", 0,
                     says="--examples: expected a number from 1, found '0'")
        self.refused("report", self.given / "bags.csv", "--model", model,
                     says="the model is for series, the data are bags")


if __name__ == "__main__":
    unittest.main()
