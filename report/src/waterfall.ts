// SPDX-License-Identifier: MIT
// How contributions add up to a score: by place, or pattern by pattern.
import { diverging } from "./colour";
import type { Contribution, Data } from "./data";
import { h } from "./dom";
import { counted, found, number, says, signed } from "./words";

export type Mode = "place" | "apart" | "size";

/** A step of the way from the start to the score. */
interface Step {
  contribution: Contribution | null; // null: start, the others, the end
  name: string;
  value: number;
  from: number;
  to: number;
  coloured?: boolean;
}

/** What a contribution counts for in this mode. */
export const worth = (c: Contribution, mode: Mode): number => (mode === "size" ? c.value : c.value - c.average);

/** Evidence by stretches of the series, all patterns and channels together, from the average score to this one. */
function placeSteps(data: Data, example: number, entry: number, start: number, score: number): Step[] {
  const { report } = data;
  const stretches = 10;
  const length = report.examples.length[example];
  const channels = report.kind === "series" ? report.data.width : 1;
  const bins = report.entries.evidence!.bins;
  const sums = new Array<number>(Math.min(stretches, bins)).fill(0);
  for (let c = 0; c < channels; c++) data.evidence(entry, c).forEach((value, b) => (sums[Math.floor((b * sums.length) / bins)] += value));
  const steps: Step[] = [{ contribution: null, name: "average score", value: start, from: 0, to: start }];
  let at = start;
  sums.forEach((value, k) => {
    const from = Math.floor((Math.ceil((k * bins) / sums.length) * length) / bins) + 1;
    const to = Math.max(from, Math.floor((Math.ceil(((k + 1) * bins) / sums.length) * length) / bins));
    steps.push({ contribution: null, name: `${report.kind === "series" ? "values" : "symbols"} ${from}–${to}`, value, from: at, to: at + value, coloured: true });
    at += value;
  });
  steps.push({ contribution: null, name: "score", value: score, from: 0, to: score });
  return steps;
}

/** The strongest contributions of an entry in this mode. */
export function strongest(data: Data, entry: number, mode: Mode): Contribution[] {
  return data
    .contributions(entry)
    .sort((a, b) => Math.abs(worth(b, mode)) - Math.abs(worth(a, mode)))
    .slice(0, data.report.entries.largest);
}

function waterfallSteps(data: Data, example: number, entry: number, mode: Mode): Step[] {
  const { report } = data;
  const score = report.entries.score[entry];
  const part = report.entries.part[entry];
  const b = report.parts[part].b;
  const start = mode === "size" ? b : b + (report.entries.averages[String(part)] ?? 0);
  if (mode === "place") return placeSteps(data, example, entry, start, score);
  const list = strongest(data, entry, mode);
  const steps: Step[] = [{ contribution: null, name: mode === "apart" ? "average score" : "offset b", value: start, from: 0, to: start }];
  let at = start;
  for (const c of list) {
    steps.push({ contribution: c, name: `pattern ${c.hypothesis + 1}`, value: worth(c, mode), from: at, to: at + worth(c, mode) });
    at += worth(c, mode);
  }
  const others = report.parts[part].contributions - list.length;
  if (others > 0) steps.push({ contribution: null, name: counted(others, report.head ? "other contribution" : "other pattern"), value: score - at, from: at, to: score });
  steps.push({ contribution: null, name: "score", value: score, from: 0, to: score });
  return steps;
}

const captions: Record<Mode, string> = {
  place: "From the average score to this one: what all patterns found there add beyond their average",
  apart: "From the average score to this one: what each pattern adds beyond its average",
  size: "From the offset b to the score: what each pattern adds, w × sign × response",
};
/** With a head evidence is weighed against what is usual in training. */
const headCaptions: Record<Mode, string> = {
  ...captions,
  apart: "From the average score to this one: what each pattern's evidence adds beyond its average",
  size: "From the offset b to the score: what each pattern's evidence adds, w × (response − its mean in training) / its deviation",
};

export function waterfall(data: Data, example: number, entry: number, mode: Mode, choose: (c: Contribution | null) => void): HTMLElement {
  const steps = waterfallSteps(data, example, entry, mode);
  const low = Math.min(0, ...steps.flatMap((step) => [step.from, step.to]));
  const high = Math.max(0, ...steps.flatMap((step) => [step.from, step.to]));
  const x = (value: number): number => (100 * (value - low)) / (high - low || 1);
  const largest = Math.max(...steps.slice(1, -1).map((step) => Math.abs(step.value)), 1e-300);
  const bar = (step: Step): HTMLElement => {
    const left = Math.min(x(step.from), x(step.to));
    const width = Math.max(0.4, Math.abs(x(step.to) - x(step.from)));
    const colour = step.contribution || step.coloured ? diverging(step.value / largest) : step.name === "score" ? "currentColor" : "var(--muted)";
    return h("div", { class: "track" }, h("span", { class: "zero", style: `left: ${x(0)}%` }), h("span", { class: "bar", style: `left: ${left}%; width: ${width}%; background: ${colour}` }));
  };
  const row = (step: Step): HTMLElement => {
    const c = step.contribution;
    const hypothesis = c && data.hypothesis(c.hypothesis);
    const enter = c ? () => choose(c) : undefined;
    return h(
      "tr",
      { class: c ? "contribution" : step.name === "score" ? "sum total" : "sum", "data-hypothesis": c ? c.hypothesis : undefined, mouseenter: enter, mouseleave: enter && (() => choose(null)) },
      h(
        "th",
        { scope: "row" },
        hypothesis
          ? h("button", { class: "link", title: `${says(data, hypothesis)}; weight ${number(hypothesis.w)}`, focus: enter, blur: () => choose(null), click: enter }, step.name)
          : step.name,
        hypothesis?.remark && h("span", { class: "badge" }, hypothesis.remark),
      ),
      mode !== "place" && h("td", { class: "found" }, c ? found(data, c) : ""),
      mode !== "place" && h("td", { class: "number response" }, c ? number(c.response) : ""),
      h("td", { class: "number value" }, c || step.coloured || step.name.includes("other") ? signed(step.value) : number(step.value)),
      h("td", { class: "wide" }, bar(step)),
    );
  };
  return h(
    "div",
    { class: "scroll" },
    h(
      "table",
      { class: "waterfall" },
      h("caption", {}, (data.report.head ? headCaptions : captions)[mode]),
      h("thead", {}, h("tr", {}, ...(mode === "place" ? ["place", "beyond average", "running sum"] : ["pattern", data.report.head ? "found" : "found at", "response", mode === "apart" ? "beyond average" : "contribution", "running sum"]).map((name) => h("th", { scope: "col", class: /^(found|response)/.exec(name)?.[0] }, name)))),
      h("tbody", {}, ...steps.map(row)),
    ),
  );
}
