/** Round values that enclose a range of numbers, evenly spaced and rising: `atMost` steps of 1, 2, 2.5 or 5 × 10ⁿ. */
export function ticksOf(low: number, high: number, atMost = 5): number[] {
  const least = Math.max(1e-6, (high - low || Math.abs(high) || 1) / atMost);
  const power = 10 ** Math.floor(Math.log10(least));
  let step = power * ([1, 2, 2.5, 5].find((one) => one * power >= least) ?? 10);
  for (;;) {
    const first = Math.floor(low / step);
    const steps = Math.max(1, Math.ceil(high / step) - first);
    // Rounding outwards may need one more step.
    if (steps <= atMost) return Array.from({ length: steps + 1 }, (_, at) => (first + at) * step);
    step *= 2;
  }
}
