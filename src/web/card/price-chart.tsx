import { dayIso } from '../../lib/day.ts';
import { Chart, type DayReading, type Mark } from '../chart/chart.tsx';
import {
  bandPath,
  type DayRange,
  type DayValue,
  dotsPath,
  linePath,
  type Scale,
  scaleOf,
} from '../chart/chart-shape.ts';
import { ChartTable } from '../chart/chart-table.tsx';
import { type ChartWindow, WINDOW_NAMES } from '../chart/chart-window.ts';
import { ticksOf } from '../chart/scale.ts';
import { briefDay, count, usd, usdToTheCent } from '../format.ts';
import { isEmpty, type PriceHistory, type PricePoint, WINDOWS } from './card-history.ts';

/** Points farther from the line than this ratio, and rejected sales, do not set the scale: they are drawn at its edge. */
const FAR_RATIO = 2.5;
const PRICE_TICKS = 6;
/** More rows are too many to read. */
const MAX_ROWS = 60;
/** The most sales of a day that the readout lists. */
const READ_SALES = 4;

type PriceChartOf = { href: string; name: string; window: ChartWindow; data: PriceHistory; salesLeftOut: number };

/** Prices of a card at one grade. */
export function PriceChart({ href, name, window, data, salesLeftOut }: PriceChartOf) {
  const frame = { href, anchor: '#history', windows: WINDOWS, window };
  if (isEmpty(data)) return <Chart {...frame} drawing={null} />;
  const scale = scaleOf(data.fromDay, data.toDay, priceTicks(data));
  const readings = data.line.map((point) => readingOf(data, point));
  const notes = [
    ...(hasFar(data, scale) ? ['Points outside the scale are drawn at its edge.'] : []),
    ...(salesLeftOut > 0 ? [`The oldest ${count(salesLeftOut)} sales are not drawn.`] : []),
  ];
  return (
    <Chart
      {...frame}
      drawing={{
        summary: summaryOf(name, window, data),
        scale,
        tickText: tickUsd,
        marks: marksOf(data, scale),
        readout: <Readout newest={readings.at(-1)} />,
        readings,
        notes,
        table: data.line.length > 0 && <PriceTable data={data} />,
      }}
    />
  );
}

export function priceTicks({ line, sales, rejected, listings }: PriceHistory): number[] {
  const middle = line.map(({ value }) => value);
  const near = ({ value }: DayValue) =>
    middle.length === 0 || (value <= FAR_RATIO * Math.max(...middle) && value * FAR_RATIO >= Math.min(...middle));
  const accepted = [...sales, ...listings].filter(near).map(({ value }) => value);
  const shown = [...[...line, ...nextRanges(line)].flatMap(({ low, high }) => [low, high]), ...accepted];
  const all = shown.length > 0 ? shown : rejected.map(({ value }) => value);
  return ticksOf(Math.min(...all), Math.max(...all), PRICE_TICKS);
}

/** Dollars on the axis: `$250`, `$12.50`. */
export function tickUsd(cents: number): string {
  return usd(cents).replace(/\.00$/, '');
}

/** True where a point is drawn at the edge of the scale. */
export function hasFar({ sales, rejected, listings }: PriceHistory, { ticks }: Scale): boolean {
  return [...sales, ...rejected, ...listings].some(({ value }) => value < ticks[0]! || value > ticks.at(-1)!);
}

/** The reference price of each day with its ranges. */
export function lineMarks({ line, stepDays }: Pick<PriceHistory, 'line' | 'stepDays'>, scale: Scale): Mark[] {
  return [
    { kind: 'line', label: 'Reference price', path: linePath(line, stepDays, scale) },
    { kind: 'band', label: 'Value, 80% range', path: bandPath(line, stepDays, scale) },
    { kind: 'band-next', label: 'Next sale, 80% range', path: bandPath(nextRanges(line), stepDays, scale) },
  ];
}

function nextRanges(line: PriceHistory['line']): DayRange[] {
  return line.flatMap(({ day, next }) => (next === null ? [] : [{ day, ...next }]));
}

function marksOf({ line, stepDays, sales, rejected, listings }: PriceHistory, scale: Scale): Mark[] {
  return [
    ...lineMarks({ line, stepDays }, scale),
    { kind: 'sales', label: 'Sale', path: dotsPath(sales, scale) },
    ...rejected.map(
      (dot, at): Mark => ({
        kind: 'rejected',
        label: at === 0 ? 'Rejected sale' : undefined,
        path: dotsPath([dot], scale),
        title: `${briefDay(dayIso(dot.day))}, ${usd(dot.value)}. ${dot.reason}`,
      }),
    ),
    { kind: 'listings', label: 'Average asking price', path: linePath(listings, 1, scale) },
  ];
}

function Readout({ newest }: { newest: DayReading | undefined }) {
  if (newest === undefined) return <>No day of this window has a price.</>;
  const [day, price, rest] = newest.texts;
  return (
    <>
      Close of <span data-reading>{day}</span> <strong data-reading>{price}</strong>
      <span class="muted">
        <span class="unseen">, 80% range</span> <span data-reading>{rest}</span>
      </span>
    </>
  );
}

function readingOf(data: PriceHistory, { day, value, low, high }: PricePoint): DayReading {
  const sales = salesIn(data, day - data.stepDays, day).map(usd);
  const first = sales.slice(0, READ_SALES).join(', ') + (sales.length > READ_SALES ? ' …' : '');
  const sold = sales.length === 0 ? '' : ` · ${sales.length === 1 ? 'sold' : `${sales.length} sales`}: ${first}`;
  return { day, value, texts: [briefDay(dayIso(day)), usd(value), `${usd(low)} to ${usd(high)}${sold}`] };
}

/** Prices at even steps back from the newest, and the sales since the row before. */
function PriceTable({ data }: { data: PriceHistory }) {
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

function salesIn({ sales }: PriceHistory, afterDay: number, toDay: number): number[] {
  return sales.filter(({ day }) => day > afterDay && day <= toDay).map(({ value }) => value);
}

/** The chart in words, as its text alternative. */
function summaryOf(name: string, window: ChartWindow, { line, sales, rejected }: PriceHistory): string {
  const first = line[0];
  const last = line.at(-1);
  const course =
    first === undefined || last === undefined
      ? 'no price'
      : `reference price from ${usd(first.value)} on ${briefDay(dayIso(first.day))} to ${usd(last.value)} on ${briefDay(dayIso(last.day))}`;
  const period = window === 'all' ? 'all time' : WINDOW_NAMES[window];
  return `Chart of ${name}, ${period}: ${course}; ${sales.length} sales, ${rejected.length} rejected. The table below has the same data.`;
}
