import { Headings } from './headings.tsx';
import { Day } from './price.tsx';

export type ChartRow = { iso: string; cells: readonly string[] };

/** A heading with its classes, which the cells below it have too. */
type ChartColumn = readonly [text: string, classes?: string];

/** What a chart shows, in words. The first column is the day. */
export function ChartTable({
  title,
  caption,
  columns,
  rows,
}: {
  title: string;
  caption: string;
  columns: readonly ChartColumn[];
  rows: readonly ChartRow[];
}) {
  return (
    <details class="chart-table">
      <summary>{title}</summary>
      <section class="scroll-x" tabIndex={0} aria-label={title}>
        <table class="list-table">
          <caption class="unseen">{caption}</caption>
          <Headings columns={columns} />
          <tbody>
            {rows.map(({ iso, cells }) => (
              <tr key={iso}>
                <th scope="row">
                  <Day iso={iso} />
                </th>
                {cells.map((text, at) => (
                  <td key={columns[at + 1]![0]} class={columns[at + 1]![1]}>
                    {text}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}
