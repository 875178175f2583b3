// SPDX-License-Identifier: MIT
// What the model is, and how good.
import { plot, Plot, responsive } from "./charts";
import { classColour } from "./colour";
import { confusion } from "./confusion";
import type { Data, Evaluation } from "./data";
import { h } from "./dom";
import { counted, nouns, number, percent, whole } from "./words";

/** How a head decides. */
function headSentence(data: Data): string {
  const { report } = data;
  const [noun] = nouns[report.kind];
  const words = {
    best: "how alike its best match is",
    share: `in how many ${report.kind === "bags" ? "instances" : "windows"} it is found`,
    place: "where its best match lies",
    mean: "how alike all are in the mean",
    least: "how alike the least alike is",
    bag: "how near the bag as a whole is to training bags",
  };
  const all = report.head!.evidence.map((one) => words[one]);
  const list = all.length > 1 ? `${all.slice(0, -1).join(", ")} and ${all[all.length - 1]}` : all[0];
  const weighs = report.kind === "bags" ? "a ridge regression for each of these weighs it" : "one ridge regression weighs all of it";
  const answer = report.classes.length === 2 ? `above 0 the answer is class ${report.classes[1]}` : "the class with the largest sum is the answer";
  const intervals = report.head!.intervals ? " Beside the patterns it weighs level, spread and slope of the series' halves, quarters and so on." : "";
  return `What counts of each pattern is ${list} in the ${noun}; ${weighs}, and ${answer}.${intervals}`;
}

/** Two sentences. */
export function whatItIs(data: Data): string {
  const { report } = data;
  const [noun, plural] = nouns[report.kind];
  if (report.model.hypotheses === 0) {
    return `This model found no pattern that tells its classes (${report.classes.join(", ")}) apart. It answers every ${noun} with class ${report.classes[report.examples.predicted[0] ?? 0]}.`;
  }
  const classes = report.classes.length === 2 ? `class ${report.classes[1]} from class ${report.classes[0]}` : `${report.classes.length} classes`;
  const first = `This model tells ${plural} of ${classes}${report.classes.length === 2 ? "" : " apart"} by ${counted(report.model.hypotheses, "pattern")} that it found in ${report.training.bags ? counted(report.training.bags, "training " + noun, "training " + plural) : "its training data"}.`;
  if (report.head) return `${first} ${headSentence(data)}`;
  const where = report.kind === "bags" ? "the instance of the bag that is most like it" : `the place of the ${noun} that is most like it`;
  const second =
    report.classes.length === 2
      ? `Each pattern is compared with ${where}; the weighted sum of these similarities and of an offset is the score, and above 0 the answer is class ${report.classes[1]}.`
      : `Each pattern is compared with ${where}, and weighted sums of these similarities decide ${report.strategy === "ovo" ? "between each two classes" : "for or against each class"}.`;
  return `${first} ${second}`;
}

const tile = (name: string, value: string, note = ""): HTMLElement =>
  h("div", { class: "tile" }, h("div", { class: "tile-value" }, value), h("div", { class: "tile-name" }, name), note && h("div", { class: "tile-note" }, note));

function roc(data: Data, evaluation: Evaluation): HTMLElement {
  const classes = data.report.classes.length;
  const points = evaluation.roc.flatMap(({ class: k, points }) =>
    (points ?? []).map(([x, y]) => ({ x, y, k, title: `class ${data.className(k)}\nfalse alarms ${percent(x)}\nfound ${percent(y)}` })),
  );
  return responsive(`Receiver operating characteristic; area under the curve ${number(evaluation.auc)}`, (width) =>
    plot({
      width,
      height: Math.min(300, width * 0.8),
      color: { type: "identity" },
      x: { label: "false alarms", domain: [0, 1], percent: false },
      y: { label: "found", domain: [0, 1], grid: true },
      marks: [
        Plot.line([[0, 0], [1, 1]], { stroke: "var(--faint)", strokeDasharray: "4 4" }),
        Plot.line(points, { x: "x", y: "y", z: "k", stroke: (d) => classColour(d.k, classes), strokeWidth: 2, curve: "linear" }),
        Plot.tip(points, Plot.pointer({ x: "x", y: "y", title: "title", fill: "var(--card)", stroke: "var(--faint)" })),
      ],
    }),
  );
}

function distribution(data: Data, evaluation: Evaluation): HTMLElement {
  const { value, label } = evaluation.distribution;
  const two = data.report.classes.length === 2;
  let low = Infinity;
  let high = -Infinity;
  for (const v of value) {
    low = Math.min(low, v);
    high = Math.max(high, v);
  }
  const bins = 40;
  const width = (high - low || 1) / bins;
  const rows: { x1: number; x2: number; n: number; k: number }[] = [];
  const counts = new Map<string, number>();
  for (let i = 0; i < value.length; i++) {
    const bin = Math.min(bins - 1, Math.floor((value[i] - low) / width));
    counts.set(`${label[i]} ${bin}`, (counts.get(`${label[i]} ${bin}`) ?? 0) + 1);
  }
  for (const [key, n] of counts) {
    const [k, bin] = key.split(" ").map(Number);
    rows.push({ x1: low + bin * width, x2: low + (bin + 1) * width, n, k });
  }
  rows.sort((a, b) => a.k - b.k || a.x1 - b.x1);
  const words = two ? "score" : "how far the true class is ahead of the best other";
  return responsive(`Distribution of scores by class: ${words}`, (w) =>
    plot({
      width: w,
      height: Math.min(300, w * 0.8),
      color: { type: "identity" },
      x: { label: words },
      y: { label: "examples", grid: true },
      marks: [
        Plot.rectY(rows, {
          x1: "x1",
          x2: "x2",
          y: "n",
          fill: (d) => classColour(d.k, data.report.classes.length),
          fillOpacity: 0.8,
          insetLeft: 0.5,
          insetRight: 0.5,
          title: (d) => `class ${data.className(d.k)}: ${d.n} between ${number(d.x1, 3)} and ${number(d.x2, 3)}`,
          tip: { fill: "var(--card)", stroke: "var(--faint)" },
        }),
        Plot.ruleX([0], { stroke: "currentColor", strokeDasharray: "3 3" }),
        Plot.ruleY([0]),
      ],
    }),
  );
}

export const legend = (data: Data): HTMLElement =>
  h(
    "ul",
    { class: "legend", "aria-label": "classes" },
    ...data.report.classes.map((name, k) => h("li", {}, h("span", { class: "swatch", style: `background: ${classColour(k, data.report.classes.length)}` }), `class ${name}`)),
  );

export function summary(data: Data, show: (label: number, predicted: number) => void): HTMLElement {
  const { report } = data;
  const e = report.evaluation;
  const section = h("section", { id: "summary", "aria-labelledby": "summary-title" }, h("h2", { id: "summary-title" }, "The model"), h("p", { class: "lead" }, whatItIs(data)));
  if (report.remark) section.append(h("p", { class: "remark" }, report.remark));
  if (!e) {
    section.append(h("p", {}, "The examples have no labels, so nothing can be said of how many answers are right."));
    return section;
  }
  const wrong = e.n - e.confusion.reduce((sum, row, k) => sum + row[k], 0);
  section.append(
    h(
      "div",
      { class: "tiles" },
      tile("accuracy", percent(e.accuracy), `${whole(e.n - wrong)} of ${whole(e.n)} right`),
      tile("balanced accuracy", percent(e.balanced_accuracy), "mean over the classes"),
      tile("area under the ROC curve", e.auc === null ? "–" : e.auc.toFixed(3), report.classes.length > 2 ? "mean over the classes" : ""),
      tile("misclassified", whole(wrong), wrong ? "" : "none"),
    ),
    legend(data),
    h(
      "div",
      { class: report.classes.length > 3 ? "grid two" : "grid three" },
      h("figure", { class: report.classes.length > 3 ? "wide" : "" }, confusion(data, e, show)),
      h("figure", {}, h("figcaption", {}, "ROC: how many of a class are found, at how many false alarms"), roc(data, e)),
      h("figure", {}, h("figcaption", {}, report.classes.length === 2 ? `Scores: below 0 the answer is ${report.classes[0]}, above ${report.classes[1]}` : "How clear the answers are: right of 0 the true class has the largest score"), distribution(data, e)),
    ),
  );
  return section;
}
