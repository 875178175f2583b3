// SPDX-License-Identifier: MIT
// What the page is given: the JSON of report_json (docs/report.md), typed arrays unpacked.

export type Numbers = Float32Array | Float64Array | Int8Array | Int16Array | Int32Array | Uint8Array;
interface Packed {
  type: string;
  data: string;
}

export interface Part {
  positive: number;
  negative: number; // -1: the rest
  hypotheses: number;
  contributions: number; // with a head several of a hypothesis: its evidence
  b: number;
  // Without a head only:
  nu?: number;
  rho?: number;
  gamma?: number;
}
/** What a head weighs of a pattern, in the order of its numbers. */
export const evidences = ["best", "share", "place", "mean", "least", "bag"] as const;
export interface Head {
  kind: string;
  evidence: (typeof evidences)[number][];
  alpha: number;
  left_out_accuracy: number;
  left_out_error: number;
  residual: number;
  intervals?: number; // how many moments of intervals are weighed beside the patterns
}
export interface View {
  length: number;
  span: number;
  kernel: string;
  dilation?: number;
  scaling?: string;
  aspect?: string;
  whole?: number;
  transform?: "none" | "differences" | "spectrum";
  rate?: number; // of a spectrum, where it is known: values a second
  period?: number; // of a spectrum: frequency k is k cycles in so many values
  channels?: number[]; // that a window shows, counted from 0
  normalisation?: string;
}
export type Shape = number[][] | string;
export interface Behind {
  alpha: number;
  example: number;
  position: number;
  shape?: Shape;
}
export interface Firing {
  threshold: number;
  sought: number;
  fired: number;
  sought_in: number[];
  fired_in: number[];
  places: number[];
}
export interface Hypothesis {
  id: number;
  w: number;
  sign: number;
  claim: string;
  part: number;
  speaks_for: number;
  view: View;
  alpha: number;
  example: number;
  position: number;
  shape: Shape;
  remark?: string;
  by_evidence?: number[]; // with a head: |w| summed over the parts, in the order of `evidences`
  // Of the heaviest only:
  uses?: { part: number; w: number }[];
  behind?: Behind[];
  firing?: Firing;
  auc?: number | null;
  responses?: Numbers;
}
export interface Evaluation {
  n: number;
  accuracy: number;
  balanced_accuracy: number;
  macro_f1: number;
  auc: number | null;
  confusion: number[][];
  recall: (number | null)[];
  precision: (number | null)[];
  roc: { class: number; points: [number, number][] | null }[];
  distribution: { value: Numbers; label: Numbers };
}
export interface Story {
  bins: number;
  channels: number;
  classes: { class: number; examples: number; mean: (number | null)[]; deviation: (number | null)[]; evidence: number[] }[];
}
/** Bin b holds the frequencies b step + 1 ... (b + 1) step, in cycles in `period` values. */
export interface Spectra {
  rate: number; // values a second; 0: not known
  period: number;
  step: number;
  bins: number;
  top: number; // the largest amplitude of all, for which there is 255
  amplitude: Numbers; // of each shown example, of each channel, of each bin
  share: Numbers; // of each entry, of each channel, of each bin: evidence, as a share of
  unit: Numbers; // the largest of the entry
}
export interface Report {
  shapeboost: string;
  remark: string;
  kind: "series" | "bags" | "sequences";
  classes: string[];
  strategy: string;
  model: { file: string; hypotheses: number; views: number };
  parts: Part[];
  head: Head | null;
  training: {
    source: string;
    bags: number;
    instances: number;
    seed: number;
    settings: string;
    stopped: string;
    tuning: string;
    method: string;
    history: { edge: Numbers; gamma: Numbers; gap: Numbers; columns: Numbers };
  };
  data: { source: string; examples: number; width: number; shortest: number; longest: number; missing: boolean; uncovered: number };
  evaluation: Evaluation | null;
  story: Story | null;
  examples: {
    index: Numbers;
    name: string[];
    length: Numbers;
    label: Numbers; // -1: none
    predicted: Numbers;
    score: Numbers;
    first_entry: Numbers;
    values: { low: number[]; high: number[]; values: Numbers } | { codes: Numbers } | null;
  };
  spectra: Spectra | null;
  neighbours: { each: number; of: Numbers };
  entries: {
    part: Numbers;
    score: Numbers;
    largest: number;
    averages: Record<string, number>;
    contributions: { hypothesis: Numbers; value: Numbers; average: Numbers; response: Numbers; position: Numbers; first: Numbers; evidence?: Numbers };
    evidence?: { bins: number; share: Numbers; unit: Numbers };
    intervals?: Numbers; // what they add to the score
    bags?: { added: Numbers; score: Numbers; first: Numbers; feature: Numbers; credit: Numbers; first_feature: Numbers; by_evidence: Numbers };
  };
  hypotheses: Hypothesis[];
}

const kinds: Record<string, (buffer: ArrayBuffer) => Numbers> = {
  f4: (b) => new Float32Array(b),
  f8: (b) => new Float64Array(b),
  i1: (b) => new Int8Array(b),
  i2: (b) => new Int16Array(b),
  i4: (b) => new Int32Array(b),
  u1: (b) => new Uint8Array(b),
};

function unpack(packed: Packed): Numbers {
  const text = atob(packed.data);
  const bytes = new Uint8Array(text.length);
  for (let k = 0; k < text.length; k++) bytes[k] = text.charCodeAt(k);
  return kinds[packed.type](bytes.buffer);
}

const isPacked = (value: object): value is Packed => "type" in value && "data" in value && Object.keys(value).length === 2;

export function parse(text: string): Report {
  return JSON.parse(text, (_, value) => (value && typeof value === "object" && isPacked(value) ? unpack(value) : value)) as Report;
}

/** A contribution of one hypothesis to one score. */
export interface Contribution {
  hypothesis: number;
  value: number;
  average: number;
  response: number;
  position: number;
  evidence: number; // into `evidences`
}

/** The report with what has to be looked up often. */
export class Data {
  readonly report: Report;
  readonly offsets: number[] = [0]; // of each example's values
  private readonly byId = new Map<number, Hypothesis>();

  constructor(report: Report) {
    this.report = report;
    const rows = report.kind === "series" ? report.data.width : 1;
    for (const length of report.examples.length) this.offsets.push(this.offsets[this.offsets.length - 1] + rows * length);
    for (const hypothesis of report.hypotheses) this.byId.set(hypothesis.id, hypothesis);
  }
  get count(): number {
    return this.report.examples.name.length;
  }
  hypothesis(id: number): Hypothesis {
    return this.byId.get(id)!;
  }
  /** One channel of a series; NaN where a value is missing. */
  series(example: number, channel: number): number[] {
    const values = this.report.examples.values;
    if (!values || !("values" in values)) return [];
    const { low, high } = values;
    const length = this.report.examples.length[example];
    const begin = this.offsets[example] + channel * length;
    return Array.from(values.values.subarray(begin, begin + length), (q) =>
      q === -32768 ? NaN : low[channel] + ((q + 32767) / 65534) * (high[channel] - low[channel]),
    );
  }
  symbols(example: number): string {
    const values = this.report.examples.values;
    if (!values || !("codes" in values)) return "";
    return String.fromCharCode(...values.codes.subarray(this.offsets[example], this.offsets[example + 1]));
  }
  wrong(example: number): boolean {
    const { label, predicted } = this.report.examples;
    return label[example] >= 0 && label[example] !== predicted[example];
  }
  className(k: number): string {
    return k < 0 ? "the rest" : this.report.classes[k];
  }
  entriesOf(example: number): number[] {
    const first = this.report.examples.first_entry;
    return Array.from({ length: first[example + 1] - first[example] }, (_, k) => first[example] + k);
  }
  contributions(entry: number): Contribution[] {
    const c = this.report.entries.contributions;
    const list: Contribution[] = [];
    for (let k = c.first[entry]; k < c.first[entry + 1]; k++) {
      list.push({
        hypothesis: c.hypothesis[k],
        value: c.value[k],
        average: c.average[k],
        response: c.response[k],
        position: c.position[k],
        evidence: c.evidence?.[k] ?? 0,
      });
    }
    return list;
  }
  /** Amplitude and evidence in each bin of a channel's spectrum. */
  spectrum(example: number, entry: number, channel: number): { amplitude: number; evidence: number }[] {
    const { spectra, data } = this.report;
    if (!spectra) return [];
    const { bins, amplitude, share, top, unit } = spectra;
    const shown = (example * data.width + channel) * bins;
    const told = (entry * data.width + channel) * bins;
    return Array.from({ length: bins }, (_, b) => ({
      amplitude: (amplitude[shown + b] / 255) * top,
      evidence: (share[told + b] / 32767) * unit[entry],
    }));
  }
  /** Evidence along a channel, in bins of the series' length, against the average. */
  evidence(entry: number, channel: number): number[] {
    const e = this.report.entries.evidence;
    if (!e) return [];
    const rows = this.report.kind === "series" ? this.report.data.width : 1;
    const begin = (entry * rows + channel) * e.bins;
    return Array.from(e.share.subarray(begin, begin + e.bins), (share) => (share / 32767) * e.unit[entry]);
  }
}
