import { Day } from '../price.tsx';
import { Table, type TableColumn } from '../table.tsx';

/** A column after the first one, which is the day. */
type ChartColumn<Row> = Omit<TableColumn<Row>, 'isName'>;

type ChartTableOf<Row> = {
  title: string;
  caption: string;
  dayHead: string;
  dayOf(row: Row): string;
  columns: readonly ChartColumn<Row>[];
  rows: readonly Row[];
};

/** The values of a chart by day; opened on request. */
export function ChartTable<Row>({ title, caption, dayHead, dayOf, columns, rows }: ChartTableOf<Row>) {
  return (
    <details class="chart-table">
      <summary>{title}</summary>
      <Table
        label={caption}
        caption={<caption class="unseen">{caption}</caption>}
        columns={[{ head: dayHead, isName: true, cell: (row) => <Day iso={dayOf(row)} /> }, ...columns]}
        rows={rows}
      />
    </details>
  );
}
