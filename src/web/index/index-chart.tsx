import { dayOf } from '../../lib/day.ts';
import { salesOf } from '../card/card-words.ts';
import { Chart, type DayReading, type DrawingOf } from '../chart/chart.tsx';
import type { FilesOf } from '../chart/chart-files.tsx';
import { bandPath, barsPath, type DayValue, linePath, type Scale, scaleOf } from '../chart/chart-shape.ts';
import { type ChartWindow, USUAL_WINDOW } from '../chart/chart-window.ts';
import type { Mark } from '../chart/plot.tsx';
import { ticksOf } from '../chart/scale.ts';
import { briefDay, count, dayText, level, percentMove, usd } from '../format.ts';
import { IndexDays } from './index-days.tsx';

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

/** Another index in the same chart. */
export type ComparedIndex = { slug: string; label: string; points: readonly IndexPoint[] };

type Drawn = { label: string; points: readonly IndexPoint[]; compared?: ComparedIndex | null; files?: FilesOf };
type IndexChartOf = Drawn & { href: string; window: ChartWindow };

/** The level of an index over days, with what its basket sold for below. */
export function IndexChart({ href, window, ...drawn }: IndexChartOf) {
  const kept = drawn.compared ? `vs=${drawn.compared.slug}` : undefined;
  return <Chart href={href} window={window} usual={USUAL_WINDOW} kept={kept} drawing={indexDrawing(drawn)} />;
}

type DayPoint = IndexPoint & { day: number };

/** The same without the choice of a window. There is at least one point. */
export function indexDrawing({ label, points, compared = null, files }: Drawn): DrawingOf {
  const days = points.map(withDay);
  const [first, last] = [days[0]!, days.at(-1)!];
  const other = compared === null ? [] : scaledTo(first, compared.points.map(withDay));
  const values = [...days, ...other].map(({ value }) => value);
  const scale = scaleOf(first.day, last.day, ticksOf(Math.min(...values), Math.max(...values)), { hasBars: true });
  const otherOn = new Map(other.map(({ day, value }) => [day, value]));
  const from = other[0];
  const textsOf = (point: DayPoint) => [...ownTexts(point), comparedText(compared, from, otherOn.get(point.day))];
  return {
    summary:
      `${label} index from ${first.t.slice(0, 10)} to ${last.t.slice(0, 10)}: from ${level(first.value)} to ` +
      `${level(last.value)}. The table below has its days.`,
    scale,
    tickText: count,
    barsText: wholeUsd(Math.max(...points.map(({ volUsdCents }) => volUsdCents))),
    marks: [
      ...marksOf(days, scale),
      {
        kind: 'compared',
        label: compared === null ? undefined : `${compared.label}, scaled to the same start`,
        path: linePath(other, 1, scale),
      },
    ],
    signs: {
      flags: days.filter(({ rebalanced }) => rebalanced).map((point) => ({ day: point.day, title: flagOf(point) })),
      flagLabel: 'Rebalanced',
    },
    readout: <Readout texts={textsOf(last)} />,
    readings: days.map((point): DayReading => ({ day: point.day, value: point.value, texts: textsOf(point) })),
    files,
    table: <IndexDays points={points} />,
  };
}

function withDay(point: IndexPoint): DayPoint {
  return { ...point, day: dayOf(Date.parse(point.t)) };
}

/** The levels of another index from `first` on, as if it had the same level on the first common day. */
function scaledTo(first: DayPoint, points: readonly DayPoint[]): DayValue[] {
  const common = points.filter(({ day }) => day >= first.day);
  const factor = first.value / (common[0]?.value ?? 1);
  return common.map(({ day, value }) => ({ day, value: value * factor }));
}

function marksOf(points: readonly DayPoint[], scale: Scale): Mark[] {
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
      kind: points.length > WIDE_BARS ? 'turnover-fine' : 'turnover',
      label: 'Sales value of the basket, US dollars a day',
      path: barsPath(
        points
          .filter(({ volUsdCents }) => volUsdCents > 0)
          .map(({ day, volUsdCents }) => ({ day, value: volUsdCents })),
        scale,
      ),
    },
  ];
}

function wholeUsd(cents: number): string {
  return usd(cents).replace(/\.\d\d$/, '');
}

function flagOf(point: DayPoint): string {
  return `${dayText(point.day)}: ${changeOf(point)}`;
}

function Readout({ texts: [day, value, sold, basket, other] }: { texts: readonly string[] }) {
  return (
    <>
      <span data-reading>{day}</span>: <strong data-reading>{value}</strong>. <span data-reading>{sold}</span>
      <span data-reading>{basket}</span> <span data-reading>{other}</span>
    </>
  );
}

function ownTexts(point: DayPoint): string[] {
  const sold = point.n === 0 ? 'No sales that day.' : `Sold for ${usd(point.volUsdCents)}, ${salesOf(point.n)}.`;
  return [briefDay(point.t), level(point.value), sold, point.rebalanced ? ` Rebalanced: ${changeOf(point)}.` : ''];
}

function comparedText(compared: ComparedIndex | null, from: DayValue | undefined, value: number | undefined): string {
  if (compared === null || from === undefined || value === undefined) return '';
  return `${compared.label} since ${dayText(from.day)}: ${percentMove((value / from.value - 1) * 100)}.`;
}

/** `10 added, 9 removed`. */
export function changeOf({ rebalanced, membersAdded, membersRemoved }: IndexPoint): string {
  return rebalanced ? `${membersAdded} added, ${membersRemoved} removed` : '';
}
