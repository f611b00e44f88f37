import { dayIso } from '../../../lib/day.ts';
import type { DayRange } from '../../chart/chart-shape.ts';
import { ChartTable } from '../../chart/chart-table.tsx';
import { count, usdToTheCent } from '../../format.ts';
import type { PriceHistory } from './card-history.ts';

/** More rows are too many to read. */
const MAX_ROWS = 31;

/** Prices at even steps back from the newest, and the sales since the row before. */
export function PriceTable({ data }: { data: PriceHistory }) {
  const { line, stepDays } = data;
  const every = Math.ceil(line.length / MAX_ROWS);
  const days = every * stepDays;
  const rows = line.filter((_, at) => (line.length - 1 - at) % every === 0).toReversed();
  return (
    <ChartTable
      title="Show as table"
      caption={`Reference price and sales, ${days === 1 ? 'day by day' : `every ${days} days`}, newest first`}
      dayHead="Close of"
      dayOf={({ day }) => dayIso(day)}
      columns={[
        { head: 'Reference price', classes: 'num', cell: ({ value }) => usdToTheCent(value) },
        { head: '80% range', classes: 'num', cell: (range) => rangeText(range) },
        { head: 'Next sale, 80%', classes: 'num', cell: ({ next }) => (next === null ? '–' : rangeText(next)) },
        {
          head: days > 1 ? `Sales, ${days} days` : 'Sales',
          classes: 'num',
          cell: ({ day }) => salesText(salesIn(data, day - days, day)),
        },
      ]}
      rows={rows}
    />
  );
}

function rangeText({ low, high }: Pick<DayRange, 'low' | 'high'>): string {
  return `${usdToTheCent(low)} – ${usdToTheCent(high)}`;
}

function salesText(sales: readonly number[]): string {
  if (sales.length === 0) return count(0);
  const low = Math.min(...sales);
  const high = Math.max(...sales);
  return `${count(sales.length)}: ${usdToTheCent(low)}${high > low ? ` – ${usdToTheCent(high)}` : ''}`;
}

/** Accepted prices of the days after one, up to another. */
export function salesIn({ sales }: PriceHistory, afterDay: number, toDay: number): number[] {
  return sales
    .filter(({ day, disposition }) => disposition !== 'refused' && day > afterDay && day <= toDay)
    .map(({ value }) => value);
}
