/** `1 sale`, `2 sales`; `many` is for words whose plural has no s alone. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
