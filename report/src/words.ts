// SPDX-License-Identifier: MIT
// Numbers and sentences.
import { type Contribution, type Data, evidences, type Hypothesis } from "./data";

export const whole = (value: number): string => Math.round(value).toLocaleString("en-US");

/** Four digits that matter; a true minus sign. */
export function number(value: number | null | undefined, digits = 4): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  const text = Math.abs(value) >= 1e5 || (value !== 0 && Math.abs(value) < 1e-4) ? value.toExponential(digits - 1) : String(Number(value.toPrecision(digits)));
  return text.replace("-", "−");
}
export const signed = (value: number, digits = 4): string => (value >= 0 ? "+" : "") + number(value, digits);
export const percent = (share: number | null, digits = 1): string => (share === null || !Number.isFinite(share) ? "–" : (100 * share).toFixed(digits) + " %");
export const counted = (n: number, noun: string, plural = noun + "s"): string => whole(n) + " " + (n === 1 ? noun : plural);

export const nouns: Record<string, [string, string]> = {
  series: ["series", "series"],
  bags: ["bag", "bags"],
  sequences: ["sequence", "sequences"],
};

/** "values 34–63", "instance 3", "cycles of 5–12 values", "4–9 Hz", counted from 1 as all the page's numbers. */
export function place(data: Data, hypothesis: Hypothesis, position: number): string {
  if (position < 0) return "nowhere";
  if (data.report.kind === "bags") return `instance ${position + 1}`;
  const { view } = hypothesis;
  if (view.transform === "spectrum" && view.rate) return `${number((view.rate * (position + 1)) / view.period!, 3)}–${number((view.rate * (position + view.span)) / view.period!, 3)} Hz`;
  if (view.transform === "spectrum") return `cycles of ${number(view.period! / (position + view.span), 3)}–${number(view.period! / (position + 1), 3)} values`;
  return `${data.report.kind === "series" ? "values" : "symbols"} ${position + 1}–${position + view.span}`;
}

/** What was found: a place; with a head also "in 12 % of its windows", "late (at 83 %)" or "on average, most in instance 3". */
export function found(data: Data, c: Contribution): string {
  const hypothesis = data.hypothesis(c.hypothesis);
  const where = place(data, hypothesis, c.position);
  if (!data.report.head || c.position < 0 || hypothesis.view.transform === "spectrum") return where;
  const share = Math.round(100 * c.response);
  if (evidences[c.evidence] === "share") return `in ${c.response > 0 && share === 0 ? "under 1" : share} % of its ${data.report.kind === "bags" ? "instances" : "windows"}`;
  if (evidences[c.evidence] === "mean") return `on average, most in ${where}`;
  if (evidences[c.evidence] === "least") return "in the least alike of its instances";
  if (evidences[c.evidence] === "bag") return `as a whole, nearest in ${where}`;
  if (evidences[c.evidence] === "place") return `${c.response < 1 / 3 ? "early" : c.response < 2 / 3 ? "in the middle" : "late"} (at ${share} %)`;
  return `best at ${where}`;
}

export const evidenceNames = { best: "best match", share: "share", place: "place", mean: "mean", least: "least match", bag: "whole bag" } as const;

/** How much of a pattern's weight each evidence has: "best match 40 %, share 35 %, place 25 %". */
export function weighed(hypothesis: Hypothesis): string {
  const w = hypothesis.by_evidence ?? [];
  const sum = w.reduce((a, b) => a + b, 0) || 1;
  return w.map((value, k) => [value, evidenceNames[evidences[k]]] as const).filter(([value]) => value > 0).map(([value, name]) => `${name} ${percent(value / sum, 0)}`).join(", ");
}

/** "present in class 2", "absent from class b (against class a)". */
export function claim(data: Data, hypothesis: Hypothesis): string {
  const part = data.report.parts[hypothesis.part];
  const word = hypothesis.claim + (hypothesis.claim === "absent" ? " from " : " in ") + "class " + data.className(part.positive);
  return data.report.classes.length > 2 && part.negative >= 0 ? `${word}, against class ${data.className(part.negative)}` : word;
}

/** "is present in class 2"; with a head, which weighs every pattern for every class, "speaks for class 2". */
export function says(data: Data, hypothesis: Hypothesis): string {
  if (!data.report.head) return `is ${claim(data, hypothesis)}`;
  const side = hypothesis.speaks_for < 0 ? `against class ${data.className(data.report.parts[hypothesis.part].positive)}` : `for class ${data.className(hypothesis.speaks_for)}`;
  return `speaks ${data.report.classes.length > 2 ? "most " : ""}${side}${["later", "earlier"].includes(hypothesis.claim) ? " where it lies late" : ""}`;
}

/** How a window is looked at: what counts of it. */
/** "all channels", "channel 2", "channels 1, 4 and 5", "9 of 24 channels". */
function channelNames(seen: number[], channels: number): string {
  if (seen.length === channels) return "all channels";
  if (seen.length > 6) return `${seen.length} of ${channels} channels`;
  const names = seen.map((channel) => `${channel + 1}`);
  return names.length === 1 ? `channel ${names[0]}` : `channels ${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

export function look(hypothesis: Hypothesis, channels: number): string {
  const { view } = hypothesis;
  const words: string[] = [];
  if (view.scaling === "rank") words.push("each number by how many training numbers are smaller");
  if (view.scaling === "log") words.push("numbers on a scale of logarithms");
  if (view.aspect === "direction") words.push("proportions alone, whatever its size");
  if (view.aspect === "size") words.push("its size alone");
  if (view.whole) words.push("the bag as a whole");
  if (channels > 1 && view.channels) words.push(channelNames(view.channels, channels));
  if (view.transform === "differences") words.push("changes from one time step to the next");
  if (view.transform === "spectrum") words.push("how much there is of each frequency, from low to high");
  if (view.normalisation === "z") words.push("shape alone, whatever its level and size");
  else if (view.normalisation === "centred") words.push("whatever its level");
  if ((view.dilation ?? 1) > 1) words.push(`every ${view.dilation}${["st", "nd", "rd"][view.dilation! - 1] ?? "th"} value`);
  return words.join("; ");
}

export function origin(data: Data, hypothesis: Hypothesis, z: { example: number; position: number }): string {
  if (z.example < 0) return "the centre of a cluster of training instances";
  return `${place(data, hypothesis, z.position)} of training example ${z.example + 1}`;
}

/** Why training ended. */
export function ending(stopped: string): string {
  const words: Record<string, string> = {
    gap: "no pattern was found that beats the margin by more than the allowed gap",
    stalled: "the margin no longer rises",
    "nothing found": "no pattern tells the classes apart",
    rounds: "the limit on rounds was reached",
    interrupted: "interrupted",
  };
  return Object.hasOwn(words, stopped) ? words[stopped] : stopped;
}
