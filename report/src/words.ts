// SPDX-License-Identifier: MIT
// Numbers and sentences.
import type { Data, Hypothesis } from "./data";

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

/** "values 34–63", "instance 3", counted from 1 as all the page's numbers. */
export function place(data: Data, hypothesis: Hypothesis, position: number): string {
  if (position < 0) return "nowhere";
  if (data.report.kind === "bags") return `instance ${position + 1}`;
  return `${data.report.kind === "series" ? "values" : "symbols"} ${position + 1}–${position + hypothesis.view.span}`;
}

/** "present in class 2", "absent from class b (against class a)". */
export function claim(data: Data, hypothesis: Hypothesis): string {
  const part = data.report.parts[hypothesis.part];
  const word = hypothesis.claim + (hypothesis.claim === "absent" ? " from " : " in ") + "class " + data.className(part.positive);
  return data.report.classes.length > 2 && part.negative >= 0 ? `${word}, against class ${data.className(part.negative)}` : word;
}

/** How a window is looked at: what counts of it. */
export function look(hypothesis: Hypothesis, channels: number): string {
  const { view } = hypothesis;
  const words: string[] = [];
  if (channels > 1 && view.channel !== undefined) words.push(view.channel < 0 ? "all channels" : `channel ${view.channel + 1}`);
  if (view.differences) words.push("changes from one time step to the next");
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
