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
  classes?: string;
  /** What a table without links is called: its room takes the focus, so that keys scroll it where it is too wide. */
  label?: string;
  rowClass?(row: Row): string | undefined;
};

/** Rows under their headings. */
export function Table<Row>({ columns, rows, caption, classes = 'list-table', label, rowClass }: TableOf<Row>) {
  return (
    <div class="table-room" {...(label && scrolledByKeys(label))}>
      <table class={classes}>
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
    </div>
  );
}

/** Attributes of an element that may scroll and has nothing in it to focus. */
export function scrolledByKeys(label: string) {
  return { role: 'group', 'aria-label': label, tabIndex: 0 } as const;
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
