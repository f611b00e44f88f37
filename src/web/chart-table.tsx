import { dayIso } from '../lib/day.ts';
import type { ChartData, ChartPoint } from './chart-shape.ts';
import { count, usd } from './format.ts';
import { Day } from './price.tsx';

/** Rows that can still be read through. */
const MAX_ROWS = 60;

/** Show as table: prices at even steps back from the newest, and the sales since the row before. */
export function ChartTable({ data }: { data: ChartData }) {
  const { line } = data;
  if (line.length === 0) return null;
  const every = Math.ceil(line.length / MAX_ROWS);
  const rows = line.filter((_, at) => (line.length - 1 - at) % every === 0);
  const days = every * data.stepDays;
  return (
    <details class="chart-table">
      <summary>Show as table</summary>
      <section class="scroll-x" tabIndex={0} aria-label="Show as table">
        <table>
          <caption class="unseen">
            Reference price and sales, {days === 1 ? 'day by day' : `every ${days} days`}, newest first
          </caption>
          <thead>
            <tr>
              <th scope="col">Close of</th>
              <th scope="col" class="num">
                Reference price
              </th>
              <th scope="col" class="num">
                80 % range
              </th>
              <th scope="col" class="num">
                Sales{days > 1 && `, ${days} days`}
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.toReversed().map((point) => (
              <Row key={point.day} point={point} sales={salesIn(data, point.day - days, point.day)} />
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}

function Row({ point, sales }: { point: ChartPoint; sales: readonly number[] }) {
  const low = Math.min(...sales);
  const high = Math.max(...sales);
  return (
    <tr>
      <th scope="row">
        <Day iso={dayIso(point.day)} />
      </th>
      <td class="num">{usd(point.usdCents)}</td>
      <td class="num">
        {usd(point.lowUsdCents)} – {usd(point.highUsdCents)}
      </td>
      <td class="num">
        {count(sales.length)}
        {sales.length > 0 && `: ${usd(low)}${high > low ? ` – ${usd(high)}` : ''}`}
      </td>
    </tr>
  );
}

function salesIn({ sales }: ChartData, afterDay: number, toDay: number): number[] {
  return sales.filter(({ day }) => day > afterDay && day <= toDay).map(({ usdCents }) => usdCents);
}
