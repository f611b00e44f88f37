/** Prints a figure next to its aim, and remembers a missed one. */
export function aim(name: string, figure: string, target: string, met: boolean): void {
  console.log(`${met ? 'met   ' : 'MISSED'} ${name}: ${figure}  (aim: ${target})`);
  if (!met) process.exitCode = 1;
}

/** Median with the least and the most of the rounds. */
export function spread(values: readonly number[], digits = 2): string {
  const sorted = [...values].sort((a, b) => a - b);
  const show = (value: number) => value.toFixed(digits);
  return `${show(middle(values))} (${show(sorted[0]!)} to ${show(sorted.at(-1)!)})`;
}

export function middle(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
}
