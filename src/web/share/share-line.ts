import { type DayRange, type DayValue, short } from '../chart/chart-shape.ts';

type LineBox = { left: number; top: number; width: number; height: number };
type SharePoint = DayValue & Partial<Pick<DayRange, 'low' | 'high'>>;

const LINE = 'fill="none" stroke="#0a6350" stroke-width="4" stroke-linejoin="round" stroke-linecap="round"';

/** Values over days in a box of a picture, with the range around them; nothing for fewer than two. */
export function shareLine(points: readonly SharePoint[], { left, top, width, height }: LineBox): string {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined || first === last) return '';
  const lows = points.map(({ value, low = value }) => low);
  const highs = points.map(({ value, high = value }) => high);
  const [least, most] = [Math.min(...lows), Math.max(...highs)];
  const x = (day: number) => short(left + ((day - first.day) / (last.day - first.day)) * width);
  const y = (value: number) =>
    short(most === least ? top + height / 2 : top + ((most - value) / (most - least)) * height);
  const path = (places: readonly string[]) => `M${places.join('L')}`;
  const upper = points.map(({ day }, at) => `${x(day)} ${y(highs[at]!)}`);
  const lower = points.map(({ day }, at) => `${x(day)} ${y(lows[at]!)}`);
  const line = points.map(({ day, value }) => `${x(day)} ${y(value)}`);
  return [
    `<path d="${path([...upper, ...lower.toReversed()])}Z" fill="#0a6350" fill-opacity="0.14"/>`,
    `<path d="${path(line)}" ${LINE}/>`,
    `<circle cx="${x(last.day)}" cy="${y(last.value)}" r="8" fill="#0a6350"/>`,
  ].join('');
}
