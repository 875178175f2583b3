// SPDX-License-Identifier: MIT
// Which class was answered by which: a table while a person can read one, a map and the commonest mistakes beyond that.
import type { Data, Evaluation } from "./data";
import { h } from "./dom";
import { percent, whole } from "./words";

type Show = (label: number, predicted: number) => void;

const mostInTable = 12; // classes
const mostMistakes = 12;

/** Green on the diagonal, orange elsewhere, the stronger the more examples. */
const shade = (n: number, largest: number, right: boolean): string =>
  `background: color-mix(in oklab, var(${right ? "--good" : "--bad"}) ${n ? Math.max(12, Math.round((70 * n) / largest)) : 0}%, transparent)`;

function table(data: Data, evaluation: Evaluation, largest: number, show: Show): HTMLElement {
  const { classes } = data.report;
  const head = (name: string, scope: string): HTMLElement => h("th", { scope, title: name }, h("span", { class: "name" }, name));
  return h(
    "div",
    { class: "scroll" },
    h(
      "table",
      { class: `confusion${classes.length > 5 ? " many" : ""}` },
      h("caption", {}, "Confusion matrix: rows are the true classes, columns the answers. Choose a cell to see its examples."),
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "true \\ answer"), ...classes.map((name) => head(name, "col")), h("th", { scope: "col" }, "recall"))),
      h(
        "tbody",
        {},
        ...classes.map((name, a) =>
          h(
            "tr",
            {},
            head(name, "row"),
            ...classes.map((other, b) => {
              const n = evaluation.confusion[a][b];
              return h(
                "td",
                { style: shade(n, largest, a === b) },
                h("button", { class: "plain", disabled: n === 0, "aria-label": `${n} of class ${name} answered ${other}: show them`, click: () => show(a, b) }, whole(n)),
              );
            }),
            h("td", { class: "number" }, percent(evaluation.recall[a])),
          ),
        ),
      ),
    ),
  );
}

function map(data: Data, evaluation: Evaluation, largest: number, show: Show): HTMLElement {
  const { classes } = data.report;
  const mistakes = classes
    .flatMap((_, a) => classes.map((_, b) => ({ a, b, n: evaluation.confusion[a][b] })))
    .filter(({ a, b, n }) => a !== b && n > 0)
    .sort((x, y) => y.n - x.n);
  return h(
    "div",
    {},
    h("p", { class: "small-title" }, "Confusion matrix: a row for each true class, a column for each answer, in the order of the classes above"),
    h(
      "div",
      { class: "map", role: "img", "aria-label": `Confusion matrix of ${classes.length} classes`, style: `grid-template-columns: repeat(${classes.length}, minmax(0, 1fr))` },
      ...evaluation.confusion.flatMap((row, a) =>
        row.map((n, b) => h("span", { style: shade(n, largest, a === b), title: `class ${classes[a]}, answered ${classes[b]}: ${n}`, click: n > 0 ? () => show(a, b) : undefined })),
      ),
    ),
    mistakes.length > 0 && h("p", { class: "small-title" }, `The commonest mistakes${mistakes.length > mostMistakes ? `, ${mostMistakes} of ${mistakes.length} kinds` : ""}`),
    h("ul", { class: "mistakes" }, ...mistakes.slice(0, mostMistakes).map(({ a, b, n }) => h("li", {}, h("button", { class: "link", click: () => show(a, b) }, `${classes[a]} answered ${classes[b]}`), ` ${whole(n)}`))),
    h("details", {}, h("summary", {}, "Recall of every class"), h("ul", {}, ...classes.map((name, a) => h("li", {}, `${name}: ${percent(evaluation.recall[a])}`)))),
  );
}

export function confusion(data: Data, evaluation: Evaluation, show: Show): HTMLElement {
  const largest = Math.max(...evaluation.confusion.flat(), 1);
  return (data.report.classes.length > mostInTable ? map : table)(data, evaluation, largest, show);
}
