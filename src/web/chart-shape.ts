import { ticksOf } from './scale.ts';

/** Where things stand in a chart of prices; pure. x runs from 0 to 1000 and is stretched to the width there is, y is in pixels. */

export const CHART = { width: 1000, height: 300, top: 10, bottom: 268 } as const;

/** Days are UTC day numbers, prices US cents. */
export type ChartPoint = { day: number; usdCents: number; lowUsdCents: number; highUsdCents: number };
type Dot = { day: number; usdCents: number };
type RefusedDot = Dot & { reason: string };

export type ChartData = {
  fromDay: number;
  toDay: number;
  /** In order; a day without a price leaves a gap. */
  line: readonly ChartPoint[];
  /** Days from one point of the line to the next. */
  stepDays: number;
  sales: readonly Dot[];
  refused: readonly RefusedDot[];
  /** Mean ask of each day. */
  listings: readonly Dot[];
};

export type Scale = { x(day: number): number; y(usdCents: number): number; ticks: number[]; days: number[] };

/** Rejected sales, and points farther from the line than this ratio, are drawn at the edge: they do not set the scale. */
const FAR_RATIO = 2.5;
const PRICE_TICKS = 4;
const DAY_TICKS = 4;

export function scaleOf({ fromDay, toDay, line, sales, refused, listings }: ChartData): Scale {
  const prices = line.flatMap((point) => [point.lowUsdCents, point.highUsdCents]);
  const middle = line.map((point) => point.usdCents);
  const near = (dot: Dot) =>
    middle.length === 0 ||
    (dot.usdCents <= FAR_RATIO * Math.max(...middle) && dot.usdCents * FAR_RATIO >= Math.min(...middle));
  const accepted = [...sales, ...listings].filter(near);
  const shown = [...prices, ...accepted.map((dot) => dot.usdCents)];
  const all = shown.length > 0 ? shown : refused.map((dot) => dot.usdCents);
  const ticks = ticksOf(Math.min(...all), Math.max(...all), PRICE_TICKS);
  const low = ticks[0]!;
  const high = ticks.at(-1)!;
  const days = Array.from({ length: DAY_TICKS }, (_, at) =>
    Math.round(fromDay + ((toDay - fromDay) * (at + 0.5)) / DAY_TICKS),
  );
  const { width, top, bottom } = CHART;
  return {
    x: (day) => ((day - fromDay) / (toDay - fromDay)) * width,
    y: (usdCents) => bottom - Math.min(1, Math.max(0, (usdCents - low) / (high - low))) * (bottom - top),
    ticks,
    days,
  };
}

/** The model line; a gap where a step is missing. */
export function linePath({ line, stepDays }: ChartData, { x, y }: Scale): string {
  return runsOf(line, stepDays)
    .map((run) => polyline(run.map((point) => [x(point.day), y(point.usdCents)])))
    .join('');
}

/** The 80 % range around it. */
export function bandPath({ line, stepDays }: ChartData, { x, y }: Scale): string {
  return runsOf(line, stepDays)
    .map((run) => {
      const upper = run.map((point): ChartPlace => [x(point.day), y(point.highUsdCents)]);
      const lower = run.map((point): ChartPlace => [x(point.day), y(point.lowUsdCents)]);
      return `${polyline([...upper, ...lower.reverse()])}z`;
    })
    .join('');
}

/** Listings' means, joined over days that follow each other. */
export function listingsPath({ listings }: ChartData, { x, y }: Scale): string {
  return runsOf(listings, 1)
    .map((run) => polyline(run.map((dot) => [x(dot.day), y(dot.usdCents)])))
    .join('');
}

/** Dots as strokes without length: with round caps they stay round however the chart is stretched. */
export function dotsPath(dots: readonly Dot[], { x, y }: Scale): string {
  return dots.map((dot) => `M${short(x(dot.day))} ${short(y(dot.usdCents))}h0`).join('');
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

function short(value: number): string {
  return String(Math.round(value * 10) / 10);
}
