/** One value of a table. Numbers are written in the shortest form that reads back as the same double. */
type Cell = string | number | boolean | null | undefined;

export type TableRow = Record<string, Cell>;

/** A table as CSV (RFC 4180): a line of column names, CRLF, an absent value as nothing between two commas. */
export function csvOf(columns: readonly string[], rows: readonly TableRow[]): string {
  const lines = rows.map((row) => csvLine(columns.map((column) => row[column])));
  return [csvLine(columns), ...lines].join('');
}

/** A line of such a table, with its end. */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(cell: Cell): string {
  const text = String(cell ?? '');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
