import type { ExampleRow } from './worked-example.ts';

const [WIDTH, HEIGHT] = [640, 300];
const [LEFT, RIGHT, TOP, BOTTOM] = [52, 612, 16, 266];
const [LOW, HIGH] = [50, 400];
const TICKS = [50, 100, 200, 400];
const DAYS = [1, 10, 20, 30, 40, 50];
const ANCHORS = ['start', 'middle', 'middle', 'middle', 'middle', 'end'];

const x = (day: number) => (LEFT + ((RIGHT - LEFT) * (day - 1)) / 49).toFixed(1);
const y = (usd: number) => (BOTTOM - ((BOTTOM - TOP) * Math.log(usd / LOW)) / Math.log(HIGH / LOW)).toFixed(1);

/**
 * The worked example as SVG: price and range of the value after each sale, as steps on a log axis, and the sales as dots.
 * Pages give the classes the colors of their theme; the attributes are for other readers.
 */
export function exampleDrawing(rows: readonly ExampleRow[]): string {
  const steps = (of: (row: ExampleRow) => number) =>
    rows.flatMap((row, at) => {
      const until = rows[at + 1]?.day ?? 50;
      return [`${x(row.day)},${y(of(row) / 100)}`, `${x(until)},${y(of(row) / 100)}`];
    });
  const band = [...steps(({ value }) => value.highUsdCents), ...steps(({ value }) => value.lowUsdCents).reverse()];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="11">`,
    '<title>One card, six sales: what each does to the price</title>',
    `<rect class="drawing-ground" width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>`,
    ...TICKS.map(
      (usd) =>
        `<path class="drawing-grid" d="M${LEFT} ${y(usd)}H${RIGHT}" stroke="#ddd"/><text x="${LEFT - 10}" y="${y(usd)}" dy="4" text-anchor="end">$${usd}</text>`,
    ),
    ...DAYS.map((day, at) => `<text x="${x(day)}" y="${BOTTOM + 24}" text-anchor="${ANCHORS[at]}">day ${day}</text>`),
    `<polygon class="drawing-band" points="${band.join(' ')}" fill="#cfe3dc"/>`,
    `<polyline class="drawing-line" points="${steps(({ cents }) => cents).join(' ')}" fill="none" stroke="#0a6350" stroke-width="2"/>`,
    ...rows.map(({ day, usd }) => `<circle class="drawing-dot" cx="${x(day)}" cy="${y(usd)}" r="4.5" fill="#14191a"/>`),
    '</svg>\n',
  ].join('\n');
}
