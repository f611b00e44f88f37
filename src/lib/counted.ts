/** `12,345` of a whole number from 0 on. `Intl` takes 20 times as long, and a chart has a thousand amounts. */
export function grouped(n: number): string {
  if (n < 1000) return String(n);
  return `${grouped(Math.floor(n / 1000))},${String(n % 1000).padStart(3, '0')}`;
}

/** `1 sale`, `2,000 sales`. */
export function counted(count: number, one: string): string {
  return `${grouped(count)} ${one}${count === 1 ? '' : 's'}`;
}
