// SPDX-License-Identifier: MIT
// Colours as the style sheet defines them, so that light, dark and print each have their own.

/** Warm above 0, cold below; the deeper the nearer to 1. */
export function diverging(share: number): string {
  const strength = Math.round(100 * Math.min(1, Math.abs(share)));
  const side = share >= 0 ? "warm" : "cold";
  return `color-mix(in oklab, var(--${side}-strong) ${strength}%, var(--${side}-weak))`;
}

/** Two classes are told by the two sides of the score; more by a palette that the colour-blind can tell. */
export function classColour(k: number, classes: number): string {
  if (classes === 2) return k === 1 ? "var(--warm-mid)" : "var(--cold-mid)";
  return `var(--class-${k % 8})`;
}
