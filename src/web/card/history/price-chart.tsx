import { MS_PER_DAY } from '../../../lib/day.ts';
import { Chart, type DayReading, type DrawingOf, type SalePoint } from '../../chart/chart.tsx';
import type { FilesOf } from '../../chart/chart-files.tsx';
import {
  bandPath,
  type DayRange,
  type DayValue,
  dotsPath,
  linePath,
  type Scale,
  scaleOf,
} from '../../chart/chart-shape.ts';
import { type ChartWindow, WINDOW_NAMES } from '../../chart/chart-window.ts';
import type { Mark } from '../../chart/plot.tsx';
import { ticksOf } from '../../chart/scale.ts';
import { count, dayOfMonth, dayText, usd } from '../../format.ts';
import { gradeName } from '../card-facts.ts';
import { salesOf, standingOf } from '../card-words.ts';
import { type ChartSale, isEmpty, type PriceHistory, type PricePoint } from './card-history.ts';
import { PriceTable, salesIn } from './price-table.tsx';

/** Points farther from the line than this ratio, and rejected sales, do not set the scale: they are drawn at its edge. */
const FAR_RATIO = 2.5;
const PRICE_TICKS = 6;
/** The most sales of a day that the readout lists. */
const READ_SALES = 4;

type Drawn = { name: string; window: ChartWindow; data: PriceHistory; salesLeftOut: number; files?: FilesOf };
type PriceChartOf = Drawn & { href: string; usual: ChartWindow; kept?: string };

/** Prices of a card at one grade. */
export function PriceChart({ href, usual, kept, ...drawn }: PriceChartOf) {
  const drawing = priceDrawing(drawn);
  return <Chart href={href} anchor="#history" window={drawn.window} usual={usual} kept={kept} drawing={drawing} />;
}

/** The same without the choice of a window; null where nothing is recorded. */
export function priceDrawing({ name, window, data, salesLeftOut, files }: Drawn): DrawingOf | null {
  if (isEmpty(data)) return null;
  const scale = scaleOf(data.fromDay, data.toDay, priceTicks(data));
  const readings = data.line.map((point) => readingOf(data, point));
  return {
    summary: summaryOf(name, window, data),
    scale,
    tickText: tickUsd,
    marks: marksOf(data, scale),
    signs: {
      crosses: data.sales.filter(isRejected).map(crossOf),
      crossLabel: 'Rejected sale',
      flags: data.events.map(({ day, words }) => ({ day, title: words })),
      flagLabel: 'Price began, ended or jumped',
    },
    readout: <Readout newest={readings.at(-1)} />,
    readings,
    sales: data.sales.map(pointOf),
    notes: [
      ...(data.events.length > 0 ? [`${data.events.map(({ words }) => words).join('. ')}.`] : []),
      ...(hasFar(data, scale) ? ['Points outside the scale are drawn at its edge.'] : []),
      ...(salesLeftOut > 0 ? [`The oldest ${count(salesLeftOut)} sales are not drawn.`] : []),
    ],
    files,
    table: data.line.length > 0 && <PriceTable data={data} />,
  };
}

function isRejected({ disposition }: ChartSale): boolean {
  return disposition === 'refused';
}

function crossOf(sale: ChartSale) {
  const { day, value, price, standing } = pointOf(sale);
  return { day, value, title: `${dayText(day)}, ${price}. ${standing}` };
}

/** A sale as it is read: `20 Nov 2026 · Simulated auctions · PSA 10`. */
function pointOf({ day, value, disposition, trade }: ChartSale): SalePoint {
  const facts = [dayText(day), trade?.displayName, trade && gradeName(trade.gradeLabel)].filter(Boolean).join(' · ');
  const standing = standingOf({ disposition, dispositionReason: trade?.dispositionReason ?? null });
  const url = trade?.sourceUrl ?? null;
  return { day, value, price: usd(value), facts, standing, href: url !== null && /^https?:/i.test(url) ? url : null };
}

export function priceTicks({ line, sales, listings }: Pick<PriceHistory, 'line' | 'sales' | 'listings'>): number[] {
  const middle = line.map(({ value }) => value);
  const [lowest, highest] = [Math.min(...middle), Math.max(...middle)];
  const near = ({ value }: DayValue) =>
    middle.length === 0 || (value <= FAR_RATIO * highest && value * FAR_RATIO >= lowest);
  const accepted = [...sales.filter((sale) => !isRejected(sale)), ...listings].filter(near);
  const values = accepted.map(({ value }) => value);
  const lows = line.map(({ low, next }) => Math.min(low, next?.low ?? low)).concat(values);
  const highs = line.map(({ high, next }) => Math.max(high, next?.high ?? high)).concat(values);
  const all = lows.length > 0 ? [] : sales.map(({ value }) => value);
  return ticksOf(Math.min(...lows, ...all), Math.max(...highs, ...all), PRICE_TICKS);
}

/** Dollars on the axis: `$250`, `$12.50`. */
function tickUsd(cents: number): string {
  return usd(cents).replace(/\.00$/, '');
}

/** True where a point is drawn at the edge of the scale. */
function hasFar({ sales, listings }: PriceHistory, { ticks }: Scale): boolean {
  return [...sales, ...listings].some(({ value }) => value < ticks[0]! || value > ticks.at(-1)!);
}

function nextRanges(line: PriceHistory['line']): DayRange[] {
  return line.flatMap(({ day, next }) => (next === null ? [] : [{ day, low: next.low, high: next.high }]));
}

function marksOf({ line, stepDays, sales, listings }: PriceHistory, scale: Scale): Mark[] {
  const counted = sales.filter(({ disposition }) => disposition === 'used');
  const downweighted = sales.filter(({ disposition }) => disposition === 'downweighted');
  return [
    { kind: 'line', label: 'Reference price', path: linePath(line, stepDays, scale) },
    { kind: 'band', label: 'Value, 80% range', path: bandPath(line, stepDays, scale) },
    { kind: 'band-next', label: 'Next sale, 80% range', path: bandPath(nextRanges(line), stepDays, scale) },
    { kind: 'listings', label: 'Average asking price', path: linePath(listings, 1, scale) },
    { kind: 'sales', label: 'Sale', path: dotsPath(counted, scale) },
    // One path each: the outlines of one path would merge where they overlap.
    ...downweighted.map(
      (sale, at): Mark => ({
        kind: 'downweighted',
        label: at === 0 ? 'Down-weighted sale' : undefined,
        path: dotsPath([sale], scale),
      }),
    ),
  ];
}

function Readout({ newest }: { newest: DayReading | undefined }) {
  if (newest === undefined) return <>No close in this window has a price. Each dot is a sale.</>;
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
  const since = data.stepDays === 1 ? '' : ` since ${dayOfMonth((day - data.stepDays + 1) * MS_PER_DAY)}`;
  const sold =
    sales.length === 0 ? '' : ` · ${sales.length === 1 ? 'sold' : `${sales.length} sales`}${since}: ${first}`;
  return { day, value, texts: [dayText(day), usd(value), `${usd(low)} to ${usd(high)}${sold}`] };
}

/** The chart in words, as its text alternative. */
function summaryOf(name: string, window: ChartWindow, { line, sales }: PriceHistory): string {
  const rejected = sales.filter(isRejected).length;
  const first = line[0];
  const last = line.at(-1);
  const course =
    first === undefined || last === undefined
      ? 'no price'
      : `reference price from ${usd(first.value)} on ${dayText(first.day)} to ${usd(last.value)} on ${dayText(last.day)}`;
  const period = window === 'all' ? 'all time' : WINDOW_NAMES[window];
  return `Chart of ${name}, ${period}: ${course}; ${salesOf(sales.length - rejected)}, ${count(rejected)} rejected. The table below has the same data.`;
}
