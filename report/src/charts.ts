// SPDX-License-Identifier: MIT
// Figures that several sections draw.
import * as Plot from "@observablehq/plot";
import { h, s } from "./dom";

/** A chart that is as wide as its place and drawn anew when that changes. */
export function responsive(label: string, draw: (width: number) => Element): HTMLElement {
  const box = h("div", { class: "chart", role: "img", "aria-label": label });
  let drawn = 0;
  const render = (width: number): void => {
    if (width < 40 || Math.abs(width - drawn) < 2) return;
    drawn = width;
    box.replaceChildren(draw(width));
  };
  new ResizeObserver((entries) => render(Math.floor(entries[0].contentRect.width))).observe(box);
  return box;
}

export function plot(options: Plot.PlotOptions): Element {
  return Plot.plot({
    marginLeft: 48,
    marginRight: 12,
    marginBottom: options.x?.label ? 44 : 24,
    ...options,
    style: { background: "transparent", color: "inherit", fontFamily: "inherit", fontSize: "12px", overflow: "visible" },
  });
}

export { Plot };

/** A curve without axes, for a line of text or a card. Curves of several channels lie one below the other. */
export function curves(lists: { values: number[][]; colour: string; width: number }[], width: number, height: number): SVGElement {
  const svg = s("svg", { viewBox: `0 0 ${width} ${height}`, class: "curves", preserveAspectRatio: "none", "aria-hidden": "true" });
  const rows = Math.max(1, ...lists.map((list) => list.values.length));
  for (let row = 0; row < rows; row++) {
    const all = lists.flatMap((list) => list.values[row] ?? []).filter(Number.isFinite);
    const low = Math.min(...all);
    const high = Math.max(...all);
    const top = (row * height) / rows;
    const y = (value: number): number => top + 3 + (height / rows - 6) * (high > low ? 1 - (value - low) / (high - low) : 0.5);
    for (const { values, colour, width: stroke } of lists) {
      const curve = values[row] ?? [];
      let path = "";
      let open = false;
      curve.forEach((value, k) => {
        if (!Number.isFinite(value)) open = false;
        else {
          path += `${open ? "L" : "M"}${((2 + ((width - 4) * k) / Math.max(1, curve.length - 1)) as number).toFixed(1)} ${y(value).toFixed(1)}`;
          open = true;
        }
      });
      svg.append(s("path", { d: path, fill: "none", stroke: colour, "stroke-width": stroke, "vector-effect": "non-scaling-stroke" }));
    }
  }
  return svg;
}

/** At most so many of the values, evenly. */
export function thin(values: number[], most: number): number[] {
  if (values.length <= most) return values;
  return Array.from({ length: most }, (_, k) => values[Math.round((k * (values.length - 1)) / (most - 1))]);
}

/** Counts of numbers in equal bins between low and high. */
export function histogram(values: ArrayLike<number>, low: number, high: number, bins: number): number[] {
  const counts = new Array<number>(bins).fill(0);
  for (let k = 0; k < values.length; k++) {
    const bin = Math.floor(((values[k] - low) / (high - low || 1)) * bins);
    counts[Math.min(bins - 1, Math.max(0, bin))]++;
  }
  return counts;
}
