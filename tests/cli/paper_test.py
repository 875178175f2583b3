# SPDX-License-Identifier: MIT
"""shapeboost paper on made-up data under the paper's names: what it writes, that it goes on, what it refuses."""

import csv
import io
import json
import random
import re
import signal
import statistics
import subprocess
import time
import unittest

from case import BIN, PATIENCE, CliTest, hard_series, needs_libsvm, series

SETS = ("Coffee", "ItalyPowerDemand")


def bags(seed, count=12):
    """Nearly separable: where it cannot separate, a machine with a large C goes on for millions of steps."""
    rng = random.Random(seed)
    lines = ["bag,label,f1,f2"]
    for i in range(count):
        for k in range(3):
            centre = 2.5 if i % 2 and k == 2 else 0.0
            lines.append(f"{i},{1 if i % 2 else -1},{rng.gauss(centre, 0.6)!r},{rng.gauss(centre, 0.6)!r}")
    return "\n".join(lines) + "\n"


def numbered(text):
    """Labels as the archive has them: 1 and 2."""
    return re.sub("^b", "2", re.sub("^a", "1", text, flags=re.M), flags=re.M)


class Paper(CliTest):
    def setUp(self):
        super().setUp()
        for k, name in enumerate(SETS):
            folder = self.dir / "data" / "ucr" / name
            folder.mkdir(parents=True)
            (folder / f"{name}_TRAIN.tsv").write_text(numbered(series(k, count=12, length=30, noise=0.8)))
            (folder / f"{name}_TEST.tsv").write_text(numbered(series(k + 9, count=20, length=30, noise=0.8)))
        (self.dir / "data" / "mil").mkdir()
        for k, name in enumerate(("musk1", "fox")):
            (self.dir / "data" / "mil" / f"{name}.csv").write_text(bags(k))

    def paper(self, table, *more, out="out"):
        return ("paper", table, "--data", "data", "--out", out, *more)

    def files(self, name, out="out"):
        """Markdown, CSV and JSON, and the two latter again as data; seconds, which vary, are blotted out."""
        folder = self.dir / out
        text = (folder / f"{name}.csv").read_text()
        rows = list(csv.DictReader(io.StringIO(text)))
        for row in rows:
            row["seconds"] = ""
        data = json.loads((folder / f"{name}.json").read_text())
        for entry in data["sets"]:
            for cell in entry["cells"]:
                del cell["seconds"]
        markdown = (folder / f"{name}.md").read_text()
        table = [[field.strip() for field in line.strip("|").split("|")]
                 for line in markdown.splitlines() if line.startswith("|")]
        timed = [k for k, heading in enumerate(table[0]) if heading.endswith(", s") and "paper" not in heading]
        for row in table:
            for k in timed:
                row[k] = ""
        prose = "\n".join(line for line in markdown.splitlines() if not line.startswith("|"))
        return {"csv": rows, "json": data, "table": table, "prose": prose}

    def test_files_agree_with_each_other_and_with_the_journal(self):
        out = self.good(*self.paper("table1", "--quick"))
        self.assertRegex(out, r"\n\d+ trainings in .*, [\d.e+]+ a second\n")
        self.assertEqual(sorted(p.name for p in (self.dir / "out").iterdir()),
                         [f"table1_quick.{ending}" for ending in ("csv", "journal", "json", "md")])
        known = self.files("table1_quick")
        lines = [json.loads(line) for line in (self.dir / "out" / "table1_quick.journal").read_text().splitlines()]
        self.assertEqual([entry["name"] for entry in known["json"]["sets"]], list(SETS))
        total = 0
        for entry in known["json"]["sets"]:
            row = next(row for row in known["table"] if row[0] == entry["name"])
            self.assertEqual([cell["column"] for cell in entry["cells"]], ["text", "code", "default", "tuned"])
            for cell in entry["cells"]:
                records = [r for r in lines[1:] if (r["set"], r["column"]) == (entry["name"], cell["column"])]
                trials = [r for r in records if "run" in r]
                accuracies = [r["correct"] / r["examples"] for r in trials]
                self.assertEqual(len(trials), 2)
                self.assertEqual({r["examples"] for r in trials}, {20})
                self.assertAlmostEqual(cell["mean"], statistics.mean(accuracies))
                self.assertAlmostEqual(cell["sd"], statistics.stdev(accuracies))
                self.assertEqual(cell["trainings"], sum(r["trainings"] for r in records))
                total += cell["trainings"]
                self.assertEqual(row[known["table"][0].index(cell["column"])], f"{cell['mean']:.3f} ± {cell['sd']:.3f}")
                line = next(r for r in known["csv"] if (r["set"], r["column"]) == (entry["name"], cell["column"]))
                self.assertEqual((float(line["mean"]), float(line["sd"])), (cell["mean"], cell["sd"]))
                self.assertEqual((line["runs"], line["asked"], line["seed"], line["quick"]), ("2", "2", "1", "yes"))
                self.assertIn(line["machine"], known["prose"])
                self.assertTrue(line["machine"])
        self.assertEqual(known["json"]["trainings"], total)
        self.assertIn(f"- {total} trainings", known["prose"])
        self.assertIn("QUICK", known["prose"])
        # The paper's own numbers.
        self.assertEqual(known["json"]["sets"][1]["paper"],
                         {"ST": {"mean": 0.953, "sd": None}, "ours": {"mean": 0.932, "sd": 0.009}, "seconds": 5.7})
        # What is flagged is off by more than two deviations, and nothing else is.
        for entry in known["json"]["sets"]:
            ours = entry["paper"]["ours"]
            for cell in entry["cells"]:
                if cell["column"] not in ("text", "code"):
                    self.assertNotIn("differs", cell)
                    continue
                off = abs(cell["mean"] - ours["mean"]) > 2 * ours["sd"] + 0.0005
                self.assertEqual(cell["differs"], off)
                self.assertEqual(f"- {entry['name']}, {cell['column']}: " in known["prose"], off)
        self.assertTrue(known["json"]["differences"])  # the data are others: it must not go unnoticed

    @needs_libsvm
    def test_nested_table(self):
        command = self.paper("table2", "--quick", "--sets", "fox,musk1", "--columns",
                             "sparse,ball,default,MI-svm-linear,MI-svm-gaussian", "--json")
        out = json.loads(self.good(*command))
        known = self.files("table2_quick")
        self.assertEqual([entry["name"] for entry in out["sets"]], ["musk1", "fox"])
        self.assertEqual(out["this_run"]["trainings"], out["trainings"])
        for entry in out["sets"]:
            cells = {cell["column"]: cell for cell in entry["cells"]}
            self.assertEqual(list(cells), ["sparse", "ball", "default", "MI-svm-linear", "MI-svm-gaussian"])
            self.assertEqual(cells["sparse"]["trainings"], 3 * (3 * 2 + 1))
            self.assertEqual(cells["default"]["trainings"], 3)
            kernels = {name: cell for name, cell in cells.items() if name.startswith("MI-svm")}
            best = max(cell["mean"] for cell in kernels.values())
            shown = [name for name, cell in kernels.items() if cell["shown"]]
            self.assertEqual(len(shown), 1)
            self.assertEqual(kernels[shown[0]]["mean"], best)
            row = next(row for row in known["table"] if row[0] == entry["name"])
            self.assertEqual(row[known["table"][0].index("MI-svm")],
                             f"{best:.3f} ({shown[0].removeprefix('MI-svm-')}, 2 of 3 kernels)")
        self.assertIn("sparse weak learning beat the ball on every set; here it does on", known["prose"])
        # Whichever kernel was shown, with one answer fewer it is not the best any more.
        for entry in out["sets"]:
            shown = next(c for c in entry["cells"] if c["column"].startswith("MI-svm") and c["shown"])
            others = [c["mean"] for c in entry["cells"] if c["column"].startswith("MI-svm") and not c["shown"]]
            self.assertLess(shown["mean"] - max(others), 1 / 12)
            path = self.dir / "out" / "table2_quick.journal"
            lines = path.read_text().splitlines(keepends=True)
            at = next(k for k, line in enumerate(lines)
                      if f'"set":"{entry["name"]}","column":"{shown["column"]}"' in line)
            record = json.loads(lines[at])
            lines[at] = json.dumps({**record, "correct": record["correct"] - 1}) + "\n"
            path.write_text("".join(lines))
            again = json.loads(self.good(*command))
            self.assertEqual(again["this_run"]["trainings"], 0)
            cells = next(e for e in again["sets"] if e["name"] == entry["name"])["cells"]
            self.assertFalse(next(c for c in cells if c["column"] == shown["column"])["shown"])

    def test_more_is_added_and_nothing_is_done_twice(self):
        command = self.paper("table1", "--quick", "--json")
        first = json.loads(self.good(*command, "--sets", "Coffee", "--columns", "text", "--seeds", 1))
        self.assertEqual(first["this_run"]["trainings"], 3 * 2 + 1)
        self.assertIn("1.000 ± 0.000", (self.dir / "out" / "table1_quick.md").read_text())
        again = json.loads(self.good(*command, "--sets", "Coffee", "--columns", "text", "--seeds", 1))
        self.assertEqual(again["this_run"]["trainings"], 0)
        more = json.loads(self.good(*command, "--sets", "Coffee", "--columns", "text", "--seeds", 3))
        self.assertEqual(more["this_run"]["trainings"], 2)
        fewer = json.loads(self.good(*command, "--sets", "Coffee", "--columns", "text", "--seeds", 1))
        self.assertEqual(fewer["this_run"]["trainings"], 0)
        self.assertEqual(fewer["sets"][0]["cells"][0]["runs"], 3)  # what is known is shown
        self.assertIn("; 3 seeds.\n", (self.dir / "out" / "table1_quick.md").read_text())
        other = json.loads(self.good(*command, "--sets", "ItalyPowerDemand", "--columns", "default", "--seeds", 4))
        self.assertEqual(other["this_run"]["trainings"], 4)
        self.assertEqual(other["sets"][0]["cells"][0]["runs"], 3)
        self.assertEqual([[cell["column"] for cell in entry["cells"]] for entry in other["sets"]], [["text"], ["default"]])
        self.good(*command, "--sets", "ItalyPowerDemand", "--columns", "text", "--seeds", 4)
        self.assertIn("(3 of 4 seeds)", (self.dir / "out" / "table1_quick.md").read_text())
        # Changed data are other data: what was known of them is not used.
        with open(self.dir / "data" / "ucr" / "Coffee" / "Coffee_TEST.tsv", "a", encoding="utf-8") as file:
            file.write("1\t" + "\t".join(["0.5"] * 30) + "\n")
        changed = json.loads(self.good(*command, "--sets", "Coffee", "--columns", "text", "--seeds", 1))
        self.assertEqual(changed["this_run"]["trainings"], 7)
        self.assertEqual(changed["this_run"]["records_of_other_settings"], 4)

    def test_threads_do_not_matter(self):
        for threads in (1, 3):
            self.good(*self.paper("table2", "--quick", "--columns", "sparse", "--threads", threads, out=f"t{threads}"))
        one, three = (self.files("table2_quick", f"t{n}")["json"]["sets"] for n in (1, 3))
        self.assertEqual(one, three)

    def lines(self, folder):
        """Of all journals there: finished pieces of work."""
        count = 0
        for path in (self.dir / folder).glob("*.journal"):
            try:
                count += path.read_bytes().count(b"\n")
            except FileNotFoundError:  # the journal of a search goes when the search is done
                pass
        return count

    def start_and_wait(self, command, folder, lines):
        process = subprocess.Popen([BIN, *map(str, command)], cwd=self.dir, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
        end = time.monotonic() + PATIENCE
        while self.lines(folder) < lines and process.poll() is None:
            self.assertLess(time.monotonic(), end)
            time.sleep(0.002)
        return process

    def test_killed_at_any_moment_it_goes_on_to_the_same_end(self):
        for table, columns in (("table1", "text,default"), ("table2", "sparse,code")):
            command = self.paper(table, "--quick", "--columns", columns, "--threads", 1, "--quiet")
            self.good(*command)
            whole = self.files(f"{table}_quick")
            killed = 0
            for moment in (2, 4, 7):
                process = self.start_and_wait((*command[:5], "cut", *command[6:]), "cut", moment)
                process.kill()
                killed += process.wait() == -signal.SIGKILL
                process.communicate()
            self.assertGreaterEqual(killed, 1)
            self.good(*command[:5], "cut", *command[6:])
            self.assertEqual(self.files(f"{table}_quick", "cut"), whole)
            self.assertEqual([p.name for p in (self.dir / "cut").glob("*.journal") if table in p.name],
                             [f"{table}_quick.journal"])

    def test_ctrl_c_writes_what_is_known(self):
        folder = self.dir / "data" / "ucr" / "Coffee"
        for part in ("TRAIN", "TEST"):
            hard = numbered(hard_series()).splitlines(keepends=True)
            (folder / f"Coffee_{part}.tsv").write_text("".join(hard[:14]))
        command = self.paper("table1", "--sets", "Coffee", "--columns", "default,tuned", "--seeds", 50, "--threads", 1)
        process = self.start_and_wait(command, "out", 1 + 2)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)
        self.assertEqual((process.returncode, err), (0, b""))
        self.assertIn(b"note: stopped before the end; the same command goes on", out)
        self.assertRegex((self.dir / "out" / "table1.md").read_text(), r"\(\d+ of 50 seeds\)")

    def test_a_torn_line_is_dropped_and_another_run_refused(self):
        command = self.paper("table2", "--quick", "--columns", "default", "--quiet")
        self.good(*command)
        whole = self.files("table2_quick")
        path = self.dir / "out" / "table2_quick.journal"
        journal = path.read_bytes()
        path.write_bytes(journal[:-9])
        self.good(*command)
        self.assertEqual(self.files("table2_quick"), whole)
        self.assertEqual(path.read_bytes().count(b"\n"), journal.count(b"\n"))
        self.refused(*command, "--seed", 2, says="out/table2_quick.journal: the journal is of another run, its seed is")
        path.write_bytes(journal + b"what?\n")
        self.refused(*command, says=f"table2_quick.journal, line {journal.count(bytes([10])) + 1}: expected a finished")
        path.write_bytes(b"label\tvalue\n")
        self.refused(*command, says="expected a journal of shapeboost paper, found something else")

    def test_bad_use(self):
        self.refused("paper", says="TABLE is required")
        self.refused("paper", "table3", "--data", "data", "--out", "out", says="TABLE: expected table1 or table2, found 'table3'")
        self.refused("paper", "table1", "--out", "out", says="--data is required")
        self.refused("paper", "table1", "--data", "data", says="--out is required")
        self.refused(*self.paper("table1"), says="cannot read data/ucr/ECG200/ECG200_TRAIN.tsv")
        self.refused(*self.paper("table2"), says="cannot read data/mil/musk2.csv")
        self.refused(*self.paper("table1", "--sets", "Coffee,Tea"), says="--sets: expected some of Coffee, ECG200,")
        self.refused(*self.paper("table1", "--sets", "Tea"), says="found 'Tea'")
        self.refused(*self.paper("table1", "--columns", "ball"),
                     says="--columns: expected some of text, code, default, tuned, found 'ball'")
        self.refused(*self.paper("table2", "--columns", "text"), says="sparse, ball, code, default, mi-svm, mi-svm-linear")
        self.refused(*self.paper("table1", "--runs", 3), says="--runs: table1 is run with several seeds; give --seeds")
        self.refused(*self.paper("table2", "--seeds", 3), says="--seeds: table2 is run by cross-validation; give --runs")
        self.refused(*self.paper("table1", "--seeds", 0), says="--seeds: expected at least 1, found '0'")
        self.refused(*self.paper("table2", "--quick", out="data/mil/fox.csv"), says="--out: cannot make the folder")


if __name__ == "__main__":
    unittest.main()
