// SPDX-License-Identifier: MIT
// The hypotheses as cards: what each looks for, where that came from, how it separates the classes.
import { curves, histogram } from "./charts";
import { classColour } from "./colour";
import type { Data, Hypothesis, Numbers, Shape } from "./data";
import { h, s, select } from "./dom";
import { claim, look, number, origin, percent, says, weighed, whole } from "./words";

const step = 12; // cards at a time
const mostRows = 8; // classes on a card

const speaksColour = (data: Data, k: Hypothesis): string => (k.speaks_for < 0 ? "var(--muted)" : classColour(k.speaks_for, data.report.classes.length));

/** The features of an instance that differ most from the training data's, in units of their deviation. */
function features(shape: number[][], colour: string): HTMLElement {
  const most = Math.max(...shape.map(([, value]) => Math.abs(value)), 1e-300);
  return h(
    "div",
    { class: "features" },
    ...shape.flatMap(([feature, value]) => [
      h("span", {}, `feature ${feature + 1}`),
      h(
        "div",
        { class: "track" },
        h("span", { class: "zero", style: "left: 50%" }),
        h("span", { class: "bar", style: `left: ${value >= 0 ? 50 : 50 - (50 * -value) / most}%; width: ${(50 * Math.abs(value)) / most}%; background: ${colour}` }),
      ),
      h("span", { class: "number" }, number(value, 2)),
    ]),
  );
}

export function drawing(data: Data, hypothesis: Hypothesis, width = 240, height = 84): Element {
  if (typeof hypothesis.shape === "string") return h("code", { class: "symbols" }, hypothesis.shape);
  if (data.report.kind === "bags") return features(hypothesis.shape, speaksColour(data, hypothesis));
  const lists = (hypothesis.behind ?? [])
    .slice(1)
    .filter((z) => z.shape && typeof z.shape !== "string")
    .map((z) => ({ values: z.shape as number[][], colour: "var(--faint)", width: 1 }));
  lists.push({ values: hypothesis.shape as number[][], colour: speaksColour(data, hypothesis), width: 2.5 });
  return curves(lists, width, height);
}

/** Bars of counts along a line, for a card. */
function bars(counts: number[], colour: string, marks: number[] = [], height = 26): SVGElement {
  const most = Math.max(...counts, 1);
  const svg = s("svg", { viewBox: `0 0 ${counts.length} ${height}`, preserveAspectRatio: "none", class: "bars", "aria-hidden": "true" });
  counts.forEach((n, k) => svg.append(s("rect", { x: k + 0.05, width: 0.9, y: height - (height * n) / most, height: (height * n) / most, fill: colour })));
  for (const x of marks) svg.append(s("line", { x1: x, x2: x, y1: 0, y2: height, stroke: "currentColor", "stroke-width": 1.5, "vector-effect": "non-scaling-stroke", "stroke-dasharray": "3 2" }));
  return svg;
}

function separation(data: Data, hypothesis: Hypothesis): HTMLElement {
  const { report } = data;
  const firing = hypothesis.firing!;
  const said = hypothesis.responses as Numbers;
  let low = firing.threshold;
  let high = firing.threshold;
  for (const value of said) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  const bins = 30;
  const mark = ((firing.threshold - low) / (high - low || 1)) * bins;
  const table = h("div", { class: "separation" });
  // Of a pair the two that it tells apart; the others would say nothing.
  const part = report.parts[hypothesis.part];
  const share = (k: number): number => firing.fired_in[k] / firing.sought_in[k];
  const sought = report.classes.map((_, k) => k).filter((k) => firing.sought_in[k] > 0 && (part.negative < 0 || k === part.positive || k === part.negative));
  // Where classes are many: the one it speaks for, and those in which it fires most.
  const first = (k: number): number => (k === hypothesis.speaks_for ? 2 : share(k));
  const rows = sought.length > mostRows ? [...sought].sort((a, b) => first(b) - first(a)).slice(0, mostRows) : sought;
  rows.forEach((k) => {
    const name = report.classes[k];
    const values: number[] = [];
    said.forEach((value, i) => {
      if (report.examples.label[i] === k) values.push(value);
    });
    table.append(
      h("span", { class: "name", title: `class ${name}` }, name),
      bars(histogram(values, low, high, bins), classColour(k, report.classes.length), [mark]),
      h("span", { class: "number" }, percent(share(k), 0)),
    );
  });
  if (rows.length < sought.length) table.append(h("span", { class: "others" }, `and ${sought.length - rows.length} other classes`));
  return table;
}

function card(data: Data, hypothesis: Hypothesis, show: (hypothesis: number) => void): HTMLElement {
  const firing = hypothesis.firing!;
  const seen = look(hypothesis, data.report.data.width);
  const behind = hypothesis.behind ?? [];
  return h(
    "article",
    { class: "card", "aria-labelledby": `pattern-${hypothesis.id}`, "data-hypothesis": hypothesis.id },
    h(
      "header",
      {},
      h("h3", { id: `pattern-${hypothesis.id}` }, `Pattern ${hypothesis.id + 1}: ${data.report.head ? says(data, hypothesis) : claim(data, hypothesis)}`),
      h("p", { class: "weight" }, "weight ", h("b", {}, number(hypothesis.w)), hypothesis.by_evidence ? "" : hypothesis.sign < 0 ? " · sign −" : " · sign +", hypothesis.auc == null ? "" : ` · separates with AUC ${number(hypothesis.auc, 3)}`),
    ),
    hypothesis.by_evidence && h("p", { class: "note" }, `By evidence: ${weighed(hypothesis)}.`),
    hypothesis.remark && h("p", { class: "remark" }, hypothesis.remark),
    h("div", { class: "shape" }, drawing(data, hypothesis)),
    data.report.kind === "bags" && h("p", { class: "note" }, "The features that mark it most, in deviations from the training data's mean."),
    h("p", { class: "note" }, `${data.report.kind === "bags" ? "From" : "Cut from"} ${origin(data, hypothesis, hypothesis)}${seen ? `; ${seen}` : ""}.`),
    data.report.evaluation && h("p", { class: "small-title" }, `Responses${hypothesis.by_evidence ? " of the best match" : ""} by class; dashed: where it fires, and how often`),
    data.report.evaluation && separation(data, hypothesis),
    firing.places.length > 0 && firing.fired > 0 && h("p", { class: "small-title" }, `Where it fires, from start to end (${whole(firing.fired)} of ${whole(firing.sought)})`),
    firing.places.length > 0 && firing.fired > 0 && bars(firing.places, speaksColour(data, hypothesis)),
    behind.length > 1 &&
      h(
        "details",
        {},
        h("summary", {}, `A sum of ${behind.length} training instances`),
        h("ul", {}, ...behind.map((z) => h("li", {}, `${number(z.alpha, 3)} × ${origin(data, hypothesis, z)}`))),
      ),
    h("button", { class: "link", click: () => show(hypothesis.id) }, "Show the examples where it is strongest"),
  );
}

export const isText = (shape: Shape): shape is string => typeof shape === "string";

export function patterns(data: Data, show: (hypothesis: number) => void): HTMLElement {
  const { report } = data;
  const cards = report.hypotheses.filter((k) => k.firing);
  const grid = h("div", { class: "cards" });
  const more = h("button", { class: "more" });
  let side = "all";
  let order = "weight";
  let shown = step;
  const render = (): void => {
    let list = cards.filter((k) => side === "all" || String(k.speaks_for) === side);
    if (order === "auc") list = [...list].sort((a, b) => Math.abs((b.auc ?? 0.5) - 0.5) - Math.abs((a.auc ?? 0.5) - 0.5));
    if (order === "remark") list = [...list].sort((a, b) => Number(Boolean(b.remark)) - Number(Boolean(a.remark)));
    grid.replaceChildren(...list.slice(0, shown).map((k) => card(data, k, show)));
    if (list.length === 0) grid.append(h("p", {}, "No pattern speaks for it."));
    more.hidden = shown >= list.length;
    more.textContent = `Show ${Math.min(step, list.length - shown)} more of ${list.length}`;
  };
  more.addEventListener("click", () => {
    const first = shown;
    shown += step;
    render();
    (grid.children[first]?.querySelector("button") as HTMLElement | null)?.focus({ preventScroll: true });
  });
  const fields = h(
    "div",
    { class: "fields" },
    select("Speaking for", [["all", "any class"], ...report.classes.map((name, k): [string, string] => [String(k), `class ${name}`])], (value) => {
      side = value;
      shown = step;
      render();
    }),
    select(
      "Order",
      [["weight", "by weight"], ...(report.evaluation ? [["auc", "by how well it separates"] as [string, string]] : []), ...(cards.some((k) => k.remark) ? [["remark", "those with remarks first"] as [string, string]] : [])],
      (value) => {
        order = value;
        render();
      },
    ),
  );
  render();
  const rest = report.model.hypotheses - cards.length;
  return h(
    "section",
    { id: "patterns", "aria-labelledby": "patterns-title" },
    h("h2", { id: "patterns-title" }, "The patterns"),
    h(
      "p",
      { class: "note" },
      `${cards.length < report.model.hypotheses ? `The ${cards.length} heaviest of ${whole(report.model.hypotheses)}; the other ${whole(rest)} weigh less and count in everything above and below. ` : ""}A pattern's colour is that of the class it speaks for where it is found. It fires in an example where its response lies in the upper of two groups, right of the dashed line.`,
    ),
    report.hypotheses.length > 0 ? fields : h("p", {}, "Nothing was learned: the model has no patterns."),
    grid,
    more,
  );
}
