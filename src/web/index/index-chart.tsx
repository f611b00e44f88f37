import { dayOf } from '../../lib/day.ts';
import { salesOf } from '../card/card-words.ts';
import { Chart, type DayReading, type Mark } from '../chart/chart.tsx';
import { bandPath, barsPath, daysPath, linePath, type Scale, scaleOf } from '../chart/chart-shape.ts';
import { ChartTable } from '../chart/chart-table.tsx';
import type { ChartWindow } from '../chart/chart-window.ts';
import { ticksOf } from '../chart/scale.ts';
import { briefDay, count, level, usd, usdToTheCent } from '../format.ts';

/** Windows that an index offers. */
export const INDEX_WINDOWS = ['30', '90', '365', 'all'] as const satisfies ChartWindow[];
/** With more days than these, bars are thin. */
const WIDE_BARS = 120;

/** A day of an index, as its series has it. */
export type IndexPoint = {
  t: string;
  value: number;
  volUsdCents: number;
  n: number;
  rebalanced?: true;
  membersAdded?: number;
  membersRemoved?: number;
};
type IndexChartOf = { href: string; label: string; window: ChartWindow; points: readonly IndexPoint[] };

/** The level of an index over days, rotations marked, turnover below. */
export function IndexChart({ href, label, window, points }: IndexChartOf) {
  const days = points.map((point) => ({ ...point, day: dayOf(Date.parse(point.t)) }));
  const [first, last] = [days[0]!, days.at(-1)!];
  const values = points.map(({ value }) => value);
  const ticks = ticksOf(Math.min(...values), Math.max(...values));
  const scale = scaleOf(first.day, last.day, ticks, { hasBars: true });
  return (
    <Chart
      href={href}
      windows={INDEX_WINDOWS}
      window={window}
      drawing={{
        summary:
          `${label} index from ${first.t.slice(0, 10)} to ${last.t.slice(0, 10)}: from ${level(first.value)} to ` +
          `${level(last.value)}. The table below has every day.`,
        scale,
        tickText: count,
        marks: marksOf(days, scale),
        readout: <Readout texts={textsOf(last)} />,
        readings: days.map((point): DayReading => ({ day: point.day, value: point.value, texts: textsOf(point) })),
        table: <IndexDays points={points} />,
      }}
    />
  );
}

function marksOf(points: readonly (IndexPoint & { day: number })[], scale: Scale): Mark[] {
  const low = scale.ticks[0]!;
  return [
    {
      kind: 'under',
      path: bandPath(
        points.map(({ day, value }) => ({ day, low, high: value })),
        1,
        scale,
      ),
    },
    { kind: 'line', label: 'Daily close', path: linePath(points, 1, scale) },
    {
      kind: 'rotation',
      label: 'Rebalanced',
      path: daysPath(
        points.filter(({ rebalanced }) => rebalanced),
        scale,
      ),
    },
    {
      kind: points.length > WIDE_BARS ? 'turnover-fine' : 'turnover',
      label: 'Sales value of the basket',
      path: barsPath(
        points.map(({ day, volUsdCents }) => ({ day, value: volUsdCents })),
        scale,
      ),
    },
  ];
}

function Readout({ texts: [day, value, sold, sales, basket] }: { texts: readonly string[] }) {
  return (
    <>
      <span data-reading>{day}</span>: <span data-reading>{value}</span>. Sold for <span data-reading>{sold}</span>,{' '}
      <span data-reading>{sales}</span>.<span data-reading>{basket}</span>
    </>
  );
}

function textsOf(point: IndexPoint): string[] {
  const change = changeOf(point);
  return [
    briefDay(point.t),
    level(point.value),
    usd(point.volUsdCents),
    salesOf(point.n),
    change && ` Rebalanced: ${change}.`,
  ];
}

function changeOf({ rebalanced, membersAdded, membersRemoved }: IndexPoint): string {
  return rebalanced ? `${membersAdded} in, ${membersRemoved} out` : '';
}

/** Every day of the chart. */
function IndexDays({ points }: Pick<IndexChartOf, 'points'>) {
  return (
    <ChartTable
      title="Every day as a table"
      caption="Levels by day"
      dayHead="Day"
      dayOf={({ t }) => t.slice(0, 10)}
      columns={[
        { head: 'Level', classes: 'num', cell: ({ value }) => level(value) },
        { head: 'Sold for', classes: 'num', cell: ({ volUsdCents }) => usdToTheCent(volUsdCents) },
        { head: 'Sales', classes: 'num', cell: ({ n }) => salesOf(n) },
        { head: 'Basket', cell: changeOf },
      ]}
      rows={points}
    />
  );
}
