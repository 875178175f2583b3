// SPDX-License-Identifier: MIT
// The spectrum of a series, and where in it the patterns of spectra find what they look for.
import { plot, Plot } from "./charts";
import { diverging } from "./colour";
import type { Contribution, Data } from "./data";
import { h } from "./dom";
import { type Mode, worth } from "./waterfall";
import { number, signed } from "./words";

/** Amplitudes from slow to fast, as bars in the colour of their evidence; strong patterns as lines below. */
function spectrumChart(data: Data, example: number, entry: number, channel: number, list: Contribution[], mode: Mode, chosen: Contribution | null, width: number): Element {
  const { rate, period, step } = data.report.spectra!;
  const most = Math.max(...Array.from({ length: data.report.data.width }, (_, c) => data.spectrum(example, entry, c)).flat().map((b) => Math.abs(b.evidence)), 1e-300);
  const bars = data.spectrum(example, entry, channel).map((one, b) => ({ ...one, low: b * step + 0.5, high: (b + 1) * step + 0.5 }));
  const values = (cycles: number): string => number(period / cycles, 3);
  const hertz = (cycles: number): string => number((rate * cycles) / period, 3);
  const bin = (low: number, high: number): string => {
    if (rate) return `${step > 1 ? `${hertz(low)}–` : ""}${hertz(high)} Hz`;
    return `${step > 1 ? `${low}–` : ""}${high} cycles in ${period} values, of ${step > 1 ? `${values(high)}–` : ""}${values(low)} values each`;
  };
  const spans = list.filter((c) => {
    const { view } = data.hypothesis(c.hypothesis);
    return view.transform === "spectrum" && c.position >= 0 && (view.channels?.includes(channel) ?? true);
  });
  const unit = Math.max(...list.map((c) => Math.abs(worth(c, mode))), 1e-300);
  const lowest = -0.12 * Math.max(...bars.map((b) => b.amplitude), 1e-9);
  return plot({
    width,
    height: data.report.data.width > 1 ? 110 : 150,
    color: { type: "identity" },
    x: { label: rate ? "frequency in Hz" : `cycles in ${period} values`, domain: [0.5, period / 2 + 0.5], ticks: Math.max(3, Math.round(width / 110)), tickFormat: (k: number) => (k > 0 ? (rate ? hertz(k) : `${k}`) : "") },
    y: { label: data.report.data.width > 1 ? `channel ${channel + 1}` : null, ticks: 3, grid: true },
    marks: [
      Plot.rect(bars, {
        x1: "low",
        x2: "high",
        y1: 0,
        y2: "amplitude",
        insetLeft: 0.5,
        fill: (b) => diverging(b.evidence / most),
        title: (b) => `${bin(b.low + 0.5, b.high - 0.5)}: evidence ${signed(b.evidence, 3)}`,
        tip: { fill: "var(--card)", stroke: "var(--faint)" },
      }),
      ...(mode === "place"
        ? []
        : spans.map((c) => {
            const { view } = data.hypothesis(c.hypothesis);
            const ratio = period / view.period!;
            return Plot.ruleY([lowest], {
              x1: ratio * (c.position + 0.5),
              x2: ratio * (c.position + view.span + 0.5),
              stroke: diverging(worth(c, mode) / unit),
              strokeWidth: 5,
              strokeOpacity: chosen && chosen.hypothesis !== c.hypothesis ? 0.15 : 0.9,
            });
          })),
    ],
  });
}

/** The spectra of all channels; folded away where there are several. */
export function spectra(data: Data, example: number, entry: number, list: Contribution[], mode: Mode, chosen: Contribution | null, width: number): HTMLElement | null {
  if (!data.report.spectra) return null;
  const channels = data.report.data.width;
  const charts = Array.from({ length: channels }, (_, c) => spectrumChart(data, example, entry, c, list, mode, chosen, width));
  return h(
    "details",
    { class: "spectra", open: channels === 1 },
    h("summary", {}, channels === 1 ? "Its spectrum" : "The spectra of its channels"),
    ...charts,
    h("p", { class: "note" }, "How much there is of slow cycles (left) and fast ones (right), on a scale of logarithms. Coloured: the evidence of patterns of spectra, beyond the average example's."),
  );
}
