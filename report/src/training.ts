// SPDX-License-Identifier: MIT
// How training went, and the facts of the data and the run.
import { plot, Plot, responsive } from "./charts";
import type { Data } from "./data";
import { h } from "./dom";
import { counted, ending, nouns, number, percent, whole } from "./words";

interface Round {
  round: number;
  member: number;
  edge: number;
  gamma: number;
  gap: number;
}

/** The rounds. A new run, of another member or part, begins without hypotheses: gamma is -1, or their number falls. */
function rounds(data: Data): Round[] {
  const { edge, gamma, gap, columns } = data.report.training.history;
  const list: Round[] = [];
  let member = 0;
  let round = 0;
  for (let k = 0; k < edge.length; k++) {
    if (k > 0 && (gamma[k] === -1 || columns[k] < columns[k - 1])) {
      member++;
      round = 0;
    }
    list.push({ round: ++round, member, edge: edge[k], gamma: gamma[k] === -1 ? NaN : gamma[k], gap: gap[k] });
  }
  return list;
}

export function training(data: Data): HTMLElement {
  const list = rounds(data);
  const section = h("section", { id: "training", "aria-labelledby": "training-title" }, h("h2", { id: "training-title" }, "The training"));
  const { head, training: run, model } = data.report;
  if (head) {
    const [noun, plural] = nouns[data.report.kind];
    section.append(
      h(
        "p",
        {},
        `${counted(model.hypotheses, "pattern")} were found by boosting on parts of the training ${plural} and weighed together by one ridge regression. Its alpha, ${number(head.alpha, 3)}, is the one that does best on ${plural} left out.`,
      ),
      h("p", {}, `Each of the ${counted(run.bags, noun, plural)}, answered by the weights of all others: ${percent(head.left_out_accuracy)} right, mean squared error ${number(head.left_out_error, 3)}. The patterns had seen it, so new ${plural} may do worse.`),
    );
    return section;
  }
  if (list.length === 0) {
    section.append(h("p", {}, "The model keeps no history of its training."));
    return section;
  }
  const members = list[list.length - 1].member + 1;
  const opacity = members > 10 ? 0.25 : 0.9;
  const chart = (label: string, draw: (width: number) => Element): HTMLElement => h("figure", {}, h("figcaption", {}, label), responsive(label, draw));
  const title = (d: Round): string => `${members > 1 ? `run ${d.member + 1}, ` : ""}round ${d.round}\nedge ${number(d.edge)}\ngamma ${number(d.gamma)}\ngap ${number(d.gap)}`;
  const tip = { title, fill: "var(--card)", stroke: "var(--faint)" };
  section.append(
    h(
      "p",
      { class: "note" },
      `${counted(list.length, "round")}${members > 1 ? ` of ${counted(members, "run")}, a line each` : ""}. The edge is the best any pattern does under the round's weights, gamma what the patterns found so far achieve: training ends where the two meet. Stopped: ${ending(data.report.training.stopped)}.`,
    ),
    h(
      "div",
      { class: "grid two" },
      chart("Edge (upper, orange) and gamma (lower, blue)", (width) =>
        plot({
          width,
          height: 240,
          x: { label: "round" },
          y: { label: null, grid: true },
          marks: [
            Plot.line(list, { x: "round", y: "edge", z: "member", stroke: "var(--warm-mid)", strokeOpacity: opacity, marker: list.length < 40 ? "dot" : undefined }),
            Plot.line(list, { x: "round", y: "gamma", z: "member", stroke: "var(--cold-mid)", strokeOpacity: opacity, marker: list.length < 40 ? "dot" : undefined }),
            Plot.tip(list, Plot.pointer({ x: "round", y: "edge", ...tip })),
          ],
        }),
      ),
      chart("Gap between them, relative to the margin: training may end where it is small", (width) =>
        plot({
          width,
          height: 240,
          x: { label: "round" },
          y: { label: null, grid: true, type: "log", tickFormat: (d: number) => String(d) },
          marks: [
            Plot.line(list, { x: "round", y: (d) => Math.max(1e-3, d.gap), z: "member", stroke: "currentColor", strokeOpacity: opacity, marker: list.length < 40 ? "dot" : undefined }),
            Plot.tip(list, Plot.pointer({ x: "round", y: (d) => Math.max(1e-3, d.gap), ...tip })),
          ],
        }),
      ),
    ),
  );
  return section;
}

export function facts(data: Data): HTMLElement {
  const { report } = data;
  const { data: set, training: t } = report;
  const [noun, plural] = nouns[report.kind];
  const size = set.shortest === set.longest ? whole(set.longest) : `${whole(set.shortest)} to ${whole(set.longest)}`;
  const rows: [string, string][] = [
    ["examples", `${set.source || "(no file)"}: ${counted(set.examples, noun, plural)} of ${size} ${report.kind === "bags" ? `instances with ${whole(set.width)} features` : report.kind === "series" ? `values${set.width > 1 ? ` in ${set.width} channels` : ""}` : "symbols"}`],
    ["missing values", set.missing ? "yes; windows that hold one are left out" : "none"],
    ["not covered", set.uncovered ? `${whole(set.uncovered)} too short for any pattern, answered by the offset alone` : "none"],
    ["classes", report.classes.join(", ")],
    ["model", report.model.file || "(not saved)"],
    ["trained on", `${t.source || "(no file)"}: ${counted(t.bags, noun, plural)}, ${counted(t.instances, "instance")} in ${counted(report.model.views, "view")}`],
    ["patterns", whole(report.model.hypotheses)],
    ["method", t.method],
    ["settings", t.settings || "(not recorded)"],
    ...(t.tuning ? [["chosen by", t.tuning] as [string, string]] : []),
    ["seed", String(t.seed)],
    report.head ? ["head", `ridge over ${report.head.evidence.join(", ")}${report.head.intervals ? ` and ${whole(report.head.intervals)} moments of intervals` : ""}; alpha ${number(report.head.alpha)}, residual ${number(report.head.residual, 2)}`] : ["stopped", ending(t.stopped)],
    ["written by", `shapeboost ${report.shapeboost}`],
  ];
  const parts = h(
    "div",
    { class: "scroll" },
    h(
      "table",
      { class: "facts" },
      h("caption", {}, report.parts.length === 1 ? "The binary problem" : `The ${report.parts.length} binary problems`),
      h("thead", {}, h("tr", {}, ...["tells", "patterns", "offset b", ...(report.head ? [] : ["margin rho", "soft margin", "nu"])].map((name) => h("th", { scope: "col" }, name)))),
      h(
        "tbody",
        {},
        ...report.parts.map((part) =>
          h(
            "tr",
            {},
            h("th", { scope: "row" }, `${data.className(part.positive)} from ${data.className(part.negative)}`),
            ...[whole(part.hypotheses), number(part.b), ...(report.head ? [] : [number(part.rho), number(part.gamma), number(part.nu)])].map((text) => h("td", { class: "number" }, text)),
          ),
        ),
      ),
    ),
  );
  return h(
    "section",
    { id: "facts", "aria-labelledby": "facts-title" },
    h("h2", { id: "facts-title" }, "The facts"),
    h("dl", {}, ...rows.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)])),
    report.parts.length > 10 ? h("details", {}, h("summary", {}, "Every binary problem"), parts) : parts,
  );
}
