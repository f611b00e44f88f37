/** `--json` of a command that reports. */
export type JsonOption = { json?: boolean };

/** Prints what a command reports, on standard output: as one JSON object, or as lines for people. */
export function report(options: JsonOption, value: object, lines: () => readonly string[]): void {
  if (options.json) console.log(JSON.stringify(value, null, 2));
  else for (const line of lines()) console.log(line);
}

type Cell = string | number | Date | null | undefined;

/** The lines of a table. Columns are as wide as what is in them; the last one is not bounded. */
export function tableOf(header: readonly string[], rows: readonly (readonly Cell[])[]): string[] {
  const texts = [header, ...rows.map((row) => row.map(textOf))];
  const widths = header.map((_, at) => Math.max(...texts.map((row) => row[at]!.length)));
  return texts.map((row) =>
    row
      .map((text, at) => (at === row.length - 1 ? text : text.padEnd(widths[at]!)))
      .join('  ')
      .trimEnd(),
  );
}

function textOf(cell: Cell): string {
  if (cell === null || cell === undefined) return '–';
  if (cell instanceof Date) return cell.toISOString().replace(/\.\d+Z$/, 'Z');
  return String(cell);
}
