// SPDX-License-Identifier: MIT
// One example: what the model finds in it, and how that adds up to its score.
import { curves, plot, Plot, thin } from "./charts";
import { classColour, diverging } from "./colour";
import type { Contribution, Data } from "./data";
import { h } from "./dom";
import { drawing, isText } from "./patterns";
import { spectra } from "./spectrum";
import { type Mode, strongest, waterfall, worth } from "./waterfall";
import { evidenceNames, found, number, place, says, signed } from "./words";

/** The pattern's main instance where it was found, at the level and size that its view ignores. */
function placed(data: Data, c: Contribution, channel: number, series: number[]): { x: number; y: number }[] {
  const { view, shape } = data.hypothesis(c.hypothesis);
  if (isText(shape) || c.position < 0 || view.transform === "spectrum") return [];
  const row = (view.channels ?? [0]).indexOf(channel);
  if (row < 0) return [];
  let curve = shape[row];
  const at = curve.map((_, k) => c.position + (k * (view.span - 1)) / Math.max(1, curve.length - 1));
  const window = at.map((t) => series[Math.round(t)]);
  const mean = (list: number[]): number => list.reduce((a, b) => a + b, 0) / list.length;
  const deviation = (list: number[]): number => Math.sqrt(mean(list.map((v) => (v - mean(list)) ** 2)));
  const differences = view.transform === "differences";
  if (differences && (view.dilation ?? 1) > 1) curve = curve.map((v) => v * view.dilation!);
  if (view.normalisation !== "raw" || differences) {
    const scale = view.normalisation === "z" ? deviation(window) / (deviation(curve) || 1) : 1;
    const middle = mean(curve);
    curve = curve.map((v) => mean(window) + (v - middle) * scale);
  }
  return curve.map((y, k) => ({ x: at[k] + 1, y }));
}

/** The series with the maximisers on it, and below the evidence of all patterns together. */
function seriesChart(data: Data, example: number, entry: number, channel: number, list: Contribution[], mode: Mode, chosen: Contribution | null, width: number): Element {
  const { report } = data;
  const values = data.series(example, channel);
  const points = values.map((y, t) => ({ x: t + 1, y }));
  const unit = Math.max(...list.map((c) => Math.abs(worth(c, mode))), 1e-300);
  const spans = [...list]
    .reverse()
    .filter((c) => c.position >= 0 && data.hypothesis(c.hypothesis).view.transform !== "spectrum")
    .filter((c) => data.hypothesis(c.hypothesis).view.channels?.includes(channel) ?? true);
  const evidence = data.evidence(entry, channel);
  const most = data.report.entries.evidence!.unit[entry] || 1;
  const marks: Plot.Markish[] = [Plot.line(points, { x: "x", y: "y", stroke: "currentColor", strokeWidth: 1.2, strokeOpacity: 0.75 })];
  if (mode === "place") {
    const shareAt = (t: number): number => evidence[Math.min(evidence.length - 1, Math.floor((t * evidence.length) / values.length))] / most;
    marks.push(Plot.line(points, { x: "x", y: "y", stroke: (_, t) => diverging(shareAt(t)), strokeWidth: 4, strokeLinecap: "round", z: null }));
  }
  for (const c of mode === "place" ? [] : spans) {
    const { view } = data.hypothesis(c.hypothesis);
    const share = worth(c, mode) / unit;
    const faded = chosen && chosen.hypothesis !== c.hypothesis;
    marks.push(
      Plot.line(points.slice(c.position, c.position + view.span), {
        x: "x",
        y: "y",
        stroke: diverging(share),
        strokeWidth: 2 + 4 * Math.abs(share),
        strokeOpacity: faded ? 0.15 : 0.95,
        strokeLinecap: "round",
        className: "maximiser",
      }),
    );
  }
  if (chosen) marks.push(Plot.line(placed(data, chosen, channel, values), { x: "x", y: "y", stroke: "currentColor", strokeWidth: 2, strokeDasharray: "5 3" }));
  marks.push(
    Plot.tip(points, Plot.pointerX({ x: "x", y: "y", title: (d) => `value ${d.x}: ${number(d.y)}`, fill: "var(--card)", stroke: "var(--faint)" })),
  );
  const last = Math.max(2, values.length);
  const chart = plot({
    width,
    height: report.data.width > 1 ? 120 : Math.max(190, Math.min(280, width * 0.42)),
    color: { type: "identity" },
    x: { label: null, domain: [1, last] },
    y: { label: report.data.width > 1 ? `channel ${channel + 1}` : null, nice: true, grid: true },
    marks,
  });
  const bins = evidence.map((value, k) => ({ x1: 1 + (k * (last - 1)) / evidence.length, x2: 1 + ((k + 1) * (last - 1)) / evidence.length, value }));
  const strip = plot({
    width,
    height: 18,
    marginTop: 2,
    marginBottom: 2,
    color: { type: "identity" },
    x: { axis: null, domain: [1, last] },
    y: { axis: null, domain: [0, 1] },
    marks: [
      Plot.rect(bins, {
        x1: "x1",
        x2: "x2",
        y1: 0,
        y2: 1,
        fill: (d) => diverging(d.value / most),
        fillOpacity: (d) => Math.abs(d.value) / most,
        title: (d) => `values ${Math.round(d.x1)}–${Math.round(d.x2)}: evidence ${signed(d.value, 3)}`,
        tip: { fill: "var(--card)", stroke: "var(--faint)" },
      }),
    ],
  });
  return h("div", {}, chart, strip);
}

function symbolsChart(data: Data, example: number, entry: number, list: Contribution[], mode: Mode, chosen: Contribution | null): HTMLElement {
  const text = data.symbols(example);
  const evidence = data.evidence(entry, 0);
  const most = Math.max(...evidence.map(Math.abs), 1e-300);
  const marked = chosen && chosen.position >= 0 ? [chosen.position, chosen.position + data.hypothesis(chosen.hypothesis).view.span] : [0, 0];
  const letters = h("p", { class: "letters" });
  [...text].forEach((letter, t) => {
    const value = evidence[Math.min(evidence.length - 1, Math.floor((t * evidence.length) / text.length))] / most;
    const strength = Math.round(70 * Math.abs(value));
    letters.append(
      h("span", { class: t >= marked[0] && t < marked[1] ? "chosen" : undefined, style: `background: color-mix(in oklab, var(--${value >= 0 ? "warm" : "cold"}-mid) ${strength}%, transparent)` }, letter),
    );
  });
  const rows = list.slice(0, 5).map((c) => `${found(data, c)} ${signed(worth(c, mode), 3)}`);
  return h("div", {}, letters, h("p", { class: "note" }, `Strongest: ${rows.join("; ")}.`));
}

/** Bars for and against, with their numbers. */
function barTable(caption: string, columns: string[], rows: { name: string; value: number; more?: string }[]): HTMLElement {
  const most = Math.max(...rows.map((row) => Math.abs(row.value)), 1e-300);
  return h(
    "table",
    { class: "waterfall" },
    h("caption", {}, caption),
    h("thead", {}, h("tr", {}, ...columns.map((name) => h("th", { scope: "col" }, name)))),
    h(
      "tbody",
      {},
      ...rows.map(({ name, value, more }) =>
        h(
          "tr",
          {},
          h("th", { scope: "row" }, name),
          h("td", { class: "number" }, signed(value)),
          more !== undefined && h("td", { class: "number" }, more),
          h(
            "td",
            { class: "wide" },
            h("div", { class: "track" }, h("span", { class: "zero", style: "left: 50%" }), h("span", { class: "bar", style: `left: ${value >= 0 ? 50 : 50 - (50 * -value) / most}%; width: ${(50 * Math.abs(value)) / most}%; background: ${diverging(value / most)}` })),
          ),
        ),
      ),
    ),
  );
}

/** What each kind of evidence adds to a bag's score: "best match +0.12, mean +0.80". */
function evidenceSums(data: Data, entry: number): string {
  const kinds = data.report.head?.evidence ?? [];
  const sums = data.report.entries.bags!.by_evidence;
  return kinds.map((kind, k) => `${evidenceNames[kind]} ${signed(sums[entry * kinds.length + k])}`).join(", ");
}

function bagTables(data: Data, entry: number): HTMLElement {
  const b = data.report.entries.bags!;
  const instances = [];
  for (let k = b.first[entry]; k < b.first[entry + 1]; k++) instances.push({ name: `instance ${k - b.first[entry] + 1}`, value: b.added[k], more: signed(b.score[k]) });
  instances.sort((a, c) => Math.abs(c.value) - Math.abs(a.value));
  const features = [];
  for (let k = b.first_feature[entry]; k < b.first_feature[entry + 1]; k++) features.push({ name: `feature ${b.feature[k] + 1}`, value: b.credit[k] });
  return h(
    "div",
    { class: "grid two" },
    h("div", { class: "scroll" }, barTable(`Which instances: what each adds to the score${instances.length > 15 ? `, the 15 strongest of ${instances.length}` : ""}`, ["instance", "adds", "score alone", ""], instances.slice(0, 15))),
    features.length > 0
      ? h("div", { class: "scroll" }, barTable(`Which features bring ${instances[0].name} close to its patterns, compared with other instances`, ["feature", "credit", ""], features))
      : h("p", { class: "note" }, "This kernel knows no features."),
  );
}

function neighbours(data: Data, example: number, open: (example: number) => void): HTMLElement {
  const { report } = data;
  const { each, of } = report.neighbours;
  const list = Array.from(of.subarray(example * each, (example + 1) * each));
  return h(
    "div",
    { class: "neighbours" },
    ...list.map((k) =>
      h(
        "button",
        { class: "neighbour", click: () => open(k), "aria-label": `example ${report.examples.name[k]}, ${verdict(data, k)}: open it` },
        report.kind === "series" && curves([{ values: [thin(data.series(k, 0), 80)], colour: classColour(report.examples.predicted[k], report.classes.length), width: 1.5 }], 120, 44),
        h("span", {}, `${report.examples.name[k]}${data.wrong(k) ? " ✗" : ""}`),
        h("span", { class: "note" }, `${number(report.examples.score[k], 3)}`),
      ),
    ),
  );
}

export function verdict(data: Data, example: number): string {
  const { label, predicted } = data.report.examples;
  const answer = `answered ${data.className(predicted[example])}`;
  if (label[example] < 0) return answer;
  return label[example] === predicted[example] ? `${answer}, rightly` : `${answer}, but it is ${data.className(label[example])}`;
}

/** Draws an example into its place. */
export function showExample(box: HTMLElement, data: Data, example: number, state: { mode: Mode; entry: number }, open: (example: number) => void): void {
  const { report } = data;
  const entries = data.entriesOf(example);
  const entry = entries[Math.min(state.entry, entries.length - 1)];
  const part = report.parts[report.entries.part[entry]];
  const list = strongest(data, entry, state.mode);
  const again = (): void => showExample(box, data, example, state, open);
  const figure = h("div", { class: "figure" });
  const draw = (chosen: Contribution | null): void => {
    if (report.kind === "sequences") figure.replaceChildren(symbolsChart(data, example, entry, list, state.mode, chosen));
    if (report.kind !== "series") return;
    const width = Math.max(260, figure.clientWidth || 600);
    const below = spectra(data, example, entry, list, state.mode, chosen, width);
    const open = figure.querySelector("details")?.open;
    if (below && open !== undefined) (below as HTMLDetailsElement).open = open; // as the reader left it
    figure.replaceChildren(...Array.from({ length: report.data.width }, (_, c) => seriesChart(data, example, entry, c, list, state.mode, chosen, width)), ...(below ? [below] : []));
  };
  const detail = h("div", { class: "chosen-pattern", "aria-live": "polite" }, state.mode !== "place" && h("p", { class: "note" }, "Point at a pattern below, or choose it, to see it in its place."));
  const choose = (c: Contribution | null): void => {
    draw(c);
    if (!c) return;
    const hypothesis = data.hypothesis(c.hypothesis);
    detail.replaceChildren(
      h("div", { class: "shape small" }, drawing(data, hypothesis, 120, 44)),
      h("p", {}, h("b", {}, `Pattern ${c.hypothesis + 1}`), ` ${says(data, hypothesis)}; weight ${number(hypothesis.w)}. ${data.report.head ? `Found ${found(data, c)}${c.evidence ? `, most alike at ${place(data, hypothesis, c.position)}` : ""}; response` : `Found at ${place(data, hypothesis, c.position)} with response`} ${number(c.response)}: contribution ${signed(c.value)}, on average ${signed(c.average)}.`),
    );
  };
  const mode = (value: Mode, text: string): HTMLElement =>
    h(
      "label",
      { class: "choice" },
      h("input", { type: "radio", name: "mode", value, checked: state.mode === value, change: () => ((state.mode = value), again()) }),
      text,
    );
  box.replaceChildren(
    h("h3", { id: "example-title", tabindex: "-1" }, `Example ${report.examples.name[example]}: ${verdict(data, example)}`),
    h("p", { class: "note" }, `score ${number(report.entries.score[entry])} for class ${data.className(part.positive)} against ${part.negative < 0 ? "the rest" : "class " + data.className(part.negative)}; above 0 speaks for ${data.className(part.positive)} (warm), below for ${data.className(part.negative)} (cold)`),
    h(
      "div",
      { class: "fields" },
      h("fieldset", { class: "choices" }, h("legend", {}, "Contributions"), report.kind !== "bags" && mode("place", "by place"), mode("apart", "by pattern, beyond the average example's"), mode("size", "by pattern, as they are")),
      entries.length > 1 &&
        h(
          "label",
          { class: "field" },
          h("span", {}, "Between"),
          h(
            "select",
            { change: (event) => ((state.entry = Number((event.target as HTMLSelectElement).value)), again()) },
            ...entries.map((e, k) => {
              const p = report.parts[report.entries.part[e]];
              return h("option", { value: k, selected: e === entry }, `${data.className(p.positive)} and ${data.className(p.negative)}`);
            }),
          ),
        ),
    ),
    figure,
    ...(report.kind === "series" ? [h("p", { class: "note" }, state.mode === "place" ? "Coloured: where the evidence lies, of all patterns together and beyond the average example's." : "Coloured: where the strongest patterns are found. The strip: the evidence of all patterns, beyond the average example's.")] : []),
    ...(report.entries.intervals ? [h("p", { class: "note intervals" }, `Of the score, ${signed(report.entries.intervals[entry])} is of intervals: level, spread and slope of parts of the series. The curves have it where they lie; the list below has it among the other contributions.`)] : []),
    ...(report.kind === "bags" && report.head ? [h("p", { class: "note by-evidence" }, `What each kind of evidence adds to the score: ${evidenceSums(data, entry)}.`)] : []),
    ...(report.kind === "bags" ? [bagTables(data, entry)] : []),
    detail,
    waterfall(data, example, entry, state.mode, choose),
    h("h4", {}, "Its neighbours: the examples to which the patterns respond most alike"),
    neighbours(data, example, open),
  );
  draw(null);
}

