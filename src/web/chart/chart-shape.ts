import { namedDays } from './scale.ts';

/** Where things are in a chart; pure. x runs from 0 to 1000 and is stretched to the width there is, y is in pixels. */

export const CHART = { width: 1000, top: 10, bottom: 268 } as const;

/** Room for bars below the plot, with the space above them, and for the names of days. */
const BARS = { height: 80, gap: 28 } as const;
const DAYS_HEIGHT = 32;

/** `day` is a UTC day number; the unit of `value` is the chart's own. */
export type DayValue = { day: number; value: number };
export type DayRange = { day: number; low: number; high: number };

export type Scale = {
  fromDay: number;
  toDay: number;
  ticks: readonly number[];
  /** Days to be named. */
  days: readonly number[];
  /** y of the lower end of all that is drawn, and of the picture. */
  floor: number;
  height: number;
  /** y of the end of the highest bar. */
  barTop: number;
  x(day: number): number;
  /** Values beyond the ticks are drawn at the edge. */
  y(value: number): number;
};

export function scaleOf(fromDay: number, toDay: number, ticks: readonly number[], { hasBars = false } = {}): Scale {
  const { width, top, bottom } = CHART;
  const low = ticks[0]!;
  const high = ticks.at(-1)!;
  const floor = bottom + (hasBars ? BARS.height : 0);
  const span = toDay - fromDay;
  return {
    fromDay,
    toDay,
    ticks,
    days: namedDays(fromDay, toDay),
    floor,
    height: floor + DAYS_HEIGHT,
    barTop: bottom + BARS.gap,
    x: (day) => (span === 0 ? width / 2 : ((day - fromDay) / span) * width),
    y: (value) => bottom - Math.min(1, Math.max(0, (value - low) / (high - low))) * (bottom - top),
  };
}

/** A line with a gap where a point is more than `stepDays` from the one before. */
export function linePath(points: readonly DayValue[], stepDays: number, { x, y }: Scale): string {
  return runsOf(points, stepDays)
    .map((run) => polyline(run.map(({ day, value }) => [x(day), y(value)])))
    .join('');
}

/** The area between two values of each day, with the same gaps. */
export function bandPath(points: readonly DayRange[], stepDays: number, { x, y }: Scale): string {
  return runsOf(points, stepDays)
    .map((run) => {
      const upper = run.map(({ day, high }): ChartPlace => [x(day), y(high)]);
      const lower = run.map(({ day, low }): ChartPlace => [x(day), y(low)]);
      return `${polyline([...upper, ...lower.reverse()])}z`;
    })
    .join('');
}

/** Dots as strokes without length: with round caps they stay round however the chart is stretched. */
export function dotsPath(dots: readonly DayValue[], { x, y }: Scale): string {
  return dots.map(({ day, value }) => `M${short(x(day))} ${short(y(value))}h0`).join('');
}

/** Bars below the plot, the highest as high as there is room. */
export function barsPath(points: readonly DayValue[], { x, floor, barTop }: Scale): string {
  const unit = (floor - barTop) / Math.max(1, ...points.map(({ value }) => value));
  return points.map(({ day, value }) => `M${short(x(day))} ${floor}v${short(-value * unit)}`).join('');
}

type ChartPlace = [x: number, y: number];

function polyline(places: readonly ChartPlace[]): string {
  // A run of one point is a dot.
  if (places.length === 1) return `M${short(places[0]![0])} ${short(places[0]![1])}h0`;
  return places.map(([x, y], at) => `${at === 0 ? 'M' : 'L'}${short(x)} ${short(y)}`).join('');
}

function runsOf<T extends { day: number }>(points: readonly T[], stepDays: number): T[][] {
  const runs: T[][] = [];
  let before = Number.NEGATIVE_INFINITY;
  for (const point of points) {
    if (point.day - before > stepDays) runs.push([]);
    runs.at(-1)!.push(point);
    before = point.day;
  }
  return runs;
}

/** A coordinate with at most one decimal; written as whole numbers, which takes half the time: a chart has hundreds. */
export function short(value: number): string {
  const tenths = Math.round(value * 10);
  if (tenths % 10 === 0) return String(tenths / 10);
  const size = Math.abs(tenths);
  return `${tenths < 0 ? '-' : ''}${Math.floor(size / 10)}.${size % 10}`;
}
