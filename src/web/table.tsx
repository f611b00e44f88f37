import type { ComponentChildren, VNode } from 'preact';

/** A column: its heading, its classes, and the cell of a row. */
export type TableColumn<Row> = {
  head: string;
  classes?: string;
  /** Its cells name their rows. */
  isName?: boolean;
  cell(row: Row): ComponentChildren;
};

type TableOf<Row> = {
  columns: readonly TableColumn<Row>[];
  rows: readonly Row[];
  /** The element. */
  caption?: VNode;
  /** Null: a plain table. */
  classes?: string | null;
  rowClass?(row: Row): string | undefined;
};

/** Rows under their headings; a plain table is for a container that scrolls. */
export function Table<Row>({ columns, rows, caption, classes = 'list-table', rowClass }: TableOf<Row>) {
  const table = (
    <table class={classes ?? undefined}>
      {caption}
      <Headings columns={columns} />
      <tbody>
        {rows.map((row) => (
          <tr key={row} class={rowClass?.(row)}>
            {columns.map(({ head, classes, isName, cell }) =>
              isName ? (
                <th key={head} scope="row" class={classes}>
                  {cell(row)}
                </th>
              ) : (
                <td key={head} class={classes}>
                  {cell(row)}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
  return classes === null ? table : <div class="table-room">{table}</div>;
}

/** The head of a table. */
export function Headings({ columns }: { columns: readonly { head: string; classes?: string }[] }) {
  return (
    <thead>
      <tr>
        {columns.map(({ head, classes }) => (
          <th key={head} scope="col" class={classes}>
            {head}
          </th>
        ))}
      </tr>
    </thead>
  );
}
