// SPDX-License-Identifier: MIT
// Choose or search an example, and see it.
import type { Data } from "./data";
import { h, select } from "./dom";
import { showExample, verdict } from "./example";
import type { Mode } from "./waterfall";
import { number, whole } from "./words";

export interface Explorer {
  section: HTMLElement;
  /** Opens an example (its place among those shown). */
  open(example: number): void;
  /** Lists those of a class that were answered so. */
  filter(label: number, predicted: number): void;
  /** Lists those where a pattern responds most. */
  byPattern(hypothesis: number): void;
}

type Order = "file" | "wrong" | "unsure" | "score" | `pattern ${number}`;

export function explorer(data: Data): Explorer {
  const { report } = data;
  const { examples } = report;
  let order: Order = "file";
  let label = -2; // -2: any
  let predicted = -2;
  let words = "";
  let current = 0;
  const state: { mode: Mode; entry: number } = { mode: report.kind !== "bags" && report.parts.some((part) => part.hypotheses > 60) ? "place" : "apart", entry: 0 };

  const list = h("div", { class: "list", role: "listbox", "aria-label": "examples", tabindex: "0" });
  const count = h("p", { class: "note", role: "status" });
  const box = h("div", { class: "example", "aria-labelledby": "example-title" });

  const keyOf = (i: number): number => {
    if (order === "wrong") return data.wrong(i) ? -1e9 - Math.abs(examples.score[i]) : Math.abs(examples.score[i]);
    if (order === "unsure") return Math.abs(examples.score[i]);
    if (order === "score") return -examples.score[i];
    if (order.startsWith("pattern")) return -(data.hypothesis(Number(order.slice(8))).responses?.[i] ?? 0);
    return i;
  };
  const matching = (): number[] => {
    const wanted = words.trim().toLowerCase();
    const found: number[] = [];
    for (let i = 0; i < data.count; i++) {
      if (label > -2 && examples.label[i] !== label) continue;
      if (predicted > -2 && examples.predicted[i] !== predicted) continue;
      if (wanted && !examples.name[i].toLowerCase().includes(wanted) && String(examples.index[i] + 1) !== wanted) continue;
      found.push(i);
    }
    return found.sort((a, b) => keyOf(a) - keyOf(b) || a - b);
  };

  let rows: number[] = [];
  const render = (): void => {
    rows = matching();
    list.replaceChildren(
      ...rows.map((i) =>
        h(
          "div",
          { role: "option", id: `option-${i}`, class: data.wrong(i) ? "wrong" : undefined, "data-example": i, "aria-selected": String(i === current), "aria-label": `example ${examples.name[i]}, ${verdict(data, i)}, score ${number(examples.score[i], 3)}` },
          h("span", { class: "name" }, examples.name[i]),
          h("span", {}, `${data.wrong(i) ? "✗ " : ""}${examples.label[i] >= 0 && data.wrong(i) ? `${data.className(examples.label[i])} → ` : ""}${data.className(examples.predicted[i])}`),
          h("span", { class: "number" }, number(examples.score[i], 3)),
        ),
      ),
    );
    list.setAttribute("aria-activedescendant", `option-${current}`);
    const all = report.data.examples > data.count ? ` (the page holds ${whole(data.count)} of ${whole(report.data.examples)}, all or most of the misclassified among them)` : "";
    count.textContent = `${whole(rows.length)} of ${whole(data.count)} examples${all}`;
  };
  const open = (example: number): void => {
    state.entry = 0;
    list.querySelector(`#option-${current}`)?.setAttribute("aria-selected", "false");
    current = example;
    const row = list.querySelector(`#option-${example}`);
    row?.setAttribute("aria-selected", "true");
    list.setAttribute("aria-activedescendant", `option-${example}`);
    if (row instanceof HTMLElement) {
      // Only the list scrolls, not the page.
      if (row.offsetTop < list.scrollTop) list.scrollTop = row.offsetTop;
      else if (row.offsetTop + row.offsetHeight > list.scrollTop + list.clientHeight) list.scrollTop = row.offsetTop + row.offsetHeight - list.clientHeight;
    }
    showExample(box, data, example, state, open);
  };
  list.addEventListener("click", (event) => {
    const row = (event.target as Element).closest("[data-example]");
    if (row) open(Number(row.getAttribute("data-example")));
  });
  list.addEventListener("keydown", (event) => {
    const at = rows.indexOf(current);
    const steps: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1, PageDown: at + 10, PageUp: at - 10 };
    if (!(event.key in steps) || rows.length === 0) return;
    event.preventDefault();
    open(rows[Math.min(rows.length - 1, Math.max(0, steps[event.key]))]);
  });

  const search = h("input", { type: "search", placeholder: "name or number", input: (event) => ((words = (event.target as HTMLInputElement).value), render()) });
  const orders: [string, string][] = [
    ["file", "as in the file"],
    ...(report.evaluation ? [["wrong", "misclassified first"] as [string, string]] : []),
    ["unsure", "least certain first"],
    ["score", "largest score first"],
  ];
  const orderField = select("Order", orders, (value) => {
    order = value as Order;
    render();
    if (rows.length > 0) open(rows[0]);
  });
  const orderSelect = orderField.querySelector("select")!;
  const sides = (what: string, change: (k: number) => void): HTMLLabelElement =>
    select(what, [["-2", "any"], ...report.classes.map((name, k): [string, string] => [String(k), name])], (value) => {
      change(Number(value));
      render();
    });
  const labelField = sides("True class", (k) => (label = k));
  const answerField = sides("Answer", (k) => (predicted = k));

  const section = h(
    "section",
    { id: "examples", "aria-labelledby": "examples-title" },
    h("h2", { id: "examples-title" }, "The examples"),
    h("div", { class: "fields" }, h("label", { class: "field" }, h("span", {}, "Search"), search), orderField, report.evaluation && labelField, answerField),
    count,
    h("div", { class: "explorer" }, list, box),
  );
  render();
  return {
    section,
    open,
    filter(of, answered) {
      label = of;
      predicted = answered;
      labelField.querySelector("select")!.value = String(of);
      answerField.querySelector("select")!.value = String(answered);
      render();
      if (rows.length > 0) open(rows[0]);
      section.scrollIntoView();
    },
    byPattern(hypothesis) {
      order = `pattern ${hypothesis}`;
      orderSelect.querySelector("option[data-pattern]")?.remove();
      orderSelect.append(h("option", { value: order, "data-pattern": hypothesis }, `pattern ${hypothesis + 1}, strongest first`));
      orderSelect.value = order;
      render();
      if (rows.length > 0) open(rows[0]);
      section.scrollIntoView();
    },
  };
}
