// SPDX-License-Identifier: MIT
// Where the classes differ in the model's eyes: the mean series of each class, coloured by evidence.
import { plot, Plot, responsive } from "./charts";
import { diverging } from "./colour";
import type { Data, Story } from "./data";
import { h } from "./dom";
import { percent, signed } from "./words";

const mostPanels = 12; // classes that are shown at once

/** The time step of a bin, from 1. */
const timeStep = (data: Data, bin: number, bins: number): number => 1 + (bin * (data.report.data.longest - 1)) / Math.max(1, bins - 1);

/** Stretches of the series that hold most of the evidence: above half of the largest, over all classes. */
function stretches(story: Story): [number, number][] {
  const strength = Array.from({ length: story.bins }, (_, b) => {
    let sum = 0;
    for (const of of story.classes) for (let c = 0; c < story.channels; c++) sum += Math.abs(of.evidence[c * story.bins + b]);
    return sum;
  });
  const half = Math.max(...strength) / 2;
  const found: [number, number][] = [];
  for (let b = 0; b < story.bins; b++) {
    if (strength[b] < half || half === 0) continue;
    const last = found[found.length - 1];
    if (last && b - last[1] <= 2) last[1] = b;
    else found.push([b, b]);
  }
  const mass = ([from, to]: [number, number]): number => strength.slice(from, to + 1).reduce((a, b) => a + b, 0);
  return found.sort((a, b) => mass(b) - mass(a)).slice(0, 3).sort((a, b) => a[0] - b[0]);
}

function tell(data: Data, story: Story): string {
  const parts = stretches(story).map(([from, to]) => {
    const begin = Math.round(timeStep(data, from, story.bins));
    const end = Math.round(timeStep(data, to, story.bins));
    if (data.report.data.shortest !== data.report.data.longest) return `${percent(from / story.bins, 0)} to ${percent((to + 1) / story.bins, 0)} of the way`;
    return `values ${begin}–${end} (${percent(from / story.bins, 0)} to ${percent((to + 1) / story.bins, 0)} of the way)`;
  });
  if (parts.length === 0) return "No place of the series stands out.";
  return `What tells the classes apart lies mostly at ${parts.length === 1 ? parts[0] : parts.slice(0, -1).join(", ") + " and at " + parts[parts.length - 1]}.`;
}

function panel(data: Data, story: Story, of: Story["classes"][number], channel: number, unit: number): HTMLElement {
  const two = data.report.classes.length === 2;
  const rows = Array.from({ length: story.bins }, (_, b) => {
    const at = channel * story.bins + b;
    const mean = of.mean[at];
    return {
      x: timeStep(data, b, story.bins),
      mean: mean ?? NaN,
      low: mean === null ? NaN : mean - (of.deviation[at] ?? 0),
      high: mean === null ? NaN : mean + (of.deviation[at] ?? 0),
      evidence: of.evidence[at],
    };
  });
  const side = (value: number): string => (two ? `for class ${data.className(value >= 0 ? 1 : 0)}` : value >= 0 ? "for this class" : "against it");
  return responsive(`Mean of class ${data.className(of.class)}${story.channels > 1 ? `, channel ${channel + 1}` : ""}, coloured by evidence`, (width) =>
    plot({
      width,
      height: story.channels > 1 ? 130 : Math.min(260, width * 0.55),
      color: { type: "identity" },
      x: { label: data.report.data.shortest === data.report.data.longest ? "time step" : "time step, all stretched to the longest" },
      y: { label: story.channels > 1 ? `channel ${channel + 1}` : null, grid: true, nice: true },
      marks: [
        Plot.areaY(rows, { x: "x", y1: "low", y2: "high", fill: "currentColor", fillOpacity: 0.08 }),
        Plot.line(rows, { x: "x", y: "mean", stroke: (d) => diverging(d.evidence / unit), strokeWidth: 4, z: null, strokeLinecap: "round" }),
        Plot.tip(
          rows,
          Plot.pointerX({
            x: "x",
            y: "mean",
            title: (d) => `about value ${Math.round(d.x)}\nevidence ${signed(d.evidence, 3)} ${side(d.evidence)}`,
            fill: "var(--card)",
            stroke: "var(--faint)",
          }),
        ),
      ],
    }),
  );
}

export function story(data: Data): HTMLElement | null {
  const told = data.report.story;
  if (!told) return null;
  const unit = Math.max(...told.classes.flatMap((of) => of.evidence.map(Math.abs)), 1e-300);
  const two = data.report.classes.length === 2;
  const panels = (classes: Story["classes"]): HTMLElement =>
    h(
      "div",
      { class: "grid two" },
      ...classes.map((of) =>
        h(
          "figure",
          {},
          h("figcaption", {}, `class ${data.className(of.class)}, ${of.examples} examples`),
          ...Array.from({ length: told.channels }, (_, c) => panel(data, told, of, c, unit)),
        ),
      ),
    );
  const others = told.classes.slice(mostPanels);
  return h(
    "section",
    { id: "story", "aria-labelledby": "story-title" },
    h("h2", { id: "story-title" }, "Where the classes differ"),
    h("p", { class: "lead" }, tell(data, told)),
    h(
      "p",
      { class: "note" },
      "The mean of each class and one standard deviation around it. Colour shows where its examples' evidence lies, all patterns together, compared with the average example: ",
      h("span", { class: "key", style: "background: var(--warm-mid)" }),
      two ? ` warm speaks for class ${data.className(1)}, ` : " warm speaks for the class itself, ",
      h("span", { class: "key", style: "background: var(--cold-mid)" }),
      two ? ` cold for class ${data.className(0)}.` : " cold against it.",
    ),
    panels(told.classes.slice(0, mostPanels)),
    others.length > 0 && h("details", {}, h("summary", {}, `The other ${others.length} classes`), panels(others)),
  );
}
