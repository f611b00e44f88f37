/**
 * `node --import tsx bench/growth/growth-curves.ts <results.ndjson> <file.svg>`: draws what `growth.ts` measured at several sizes, a small
 * chart each, both axes logarithmic, and prints the exponent of each from the smallest to the largest size: 1 grows as fast as the items.
 */
import { readFileSync, writeFileSync } from 'node:fs';

type Point = { items: number; value: number };
type Curve = { title: string; unit: string; points: Point[] };
type Result = { items: number; what: string } & Record<string, number | string>;

/** What is drawn: a line of `growth.ts` and a figure of it. */
const DRAWN: readonly [what: RegExp, figure: string, unit: string][] = [
  [/^(import of the (catalog|sales)|first|close of)/, 'seconds', 's'],
  [/^(import of the (catalog|sales)|first)/, 'mb', 'MB of memory'],
  [/^search index$/, 'mb', 'MB'],
  [/^search index$/, 'ms of a name', 'ms of processor for a name'],
  [/^search index$/, 'ms of unknown words', 'ms for words it does not have'],
  [/^a server$/, 'mb', 'MB of memory'],
  [/^disk$/, 'mb', 'MB'],
  [/^(GET|page|home|movers)/, 'coldP50', 'ms uncached, p50'],
];
const [COLUMNS, WIDTH, HEIGHT, GAP, TITLE] = [4, 220, 90, 40, 40];

const [from, to] = process.argv.slice(2);
if (from === undefined || to === undefined) throw new Error('usage: growth-curves.ts <results.ndjson> <file.svg>');
const results = readFileSync(from, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Result);
const curves = curvesOf(results);
for (const { title, unit, points } of curves)
  console.log(`${`${title}: ${unit}`.padEnd(60)} ${exponentOf(points).toFixed(2)}`);
writeFileSync(to, svgOf(curves));

function curvesOf(all: readonly Result[]): Curve[] {
  const curves = new Map<string, Curve>();
  for (const [drawn, figure, unit] of DRAWN)
    for (const result of all) {
      if (!drawn.test(result.what) || result[figure] === undefined) continue;
      const key = `${result.what}: ${unit}`;
      const curve = curves.get(key) ?? { title: result.what, unit, points: [] };
      curves.set(key, curve);
      curve.points.push({ items: result.items, value: Number(result[figure]) });
    }
  for (const { points } of curves.values()) points.sort((a, b) => a.items - b.items);
  return [...curves.values()];
}

function exponentOf(points: readonly Point[]): number {
  const [first, last] = [points[0]!, points.at(-1)!];
  return Math.log(last.value / first.value) / Math.log(last.items / first.items);
}

function svgOf(all: readonly Curve[]): string {
  const rows = Math.ceil(all.length / COLUMNS);
  const [width, height] = [COLUMNS * (WIDTH + GAP) + GAP, rows * (HEIGHT + GAP + TITLE) + GAP];
  const charts = all.map((curve, i) => {
    const [x, y] = [
      GAP + (i % COLUMNS) * (WIDTH + GAP),
      GAP + TITLE / 2 + Math.floor(i / COLUMNS) * (HEIGHT + GAP + TITLE),
    ];
    return `<g transform="translate(${x} ${y})">${chartOf(curve)}</g>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="10" fill="#14191a">
<title>What an installation costs at several sizes, both axes logarithmic</title>
<rect width="${width}" height="${height}" fill="#fbfaf7"/>
${charts.join('\n')}
</svg>
`;
}

/** The dashed line is what would grow as fast as the items. */
function chartOf({ title, unit, points }: Curve): string {
  const [first, last] = [points[0]!, points.at(-1)!];
  const times = last.items / first.items;
  const low = Math.min(...points.map(({ value }) => value));
  const most = Math.max(...points.map(({ value }) => value), first.value * times);
  const x = (items: number) => (WIDTH * Math.log(items / first.items)) / Math.log(times);
  const y = (value: number) => HEIGHT - (HEIGHT * Math.log(value / low)) / Math.log(most / low);
  const at = (items: number, value: number) => `${x(items).toFixed(1)},${y(value).toFixed(1)}`;
  const marks = points.map(
    ({ items, value }) =>
      `<circle cx="${x(items).toFixed(1)}" cy="${y(value).toFixed(1)}" r="2.5" fill="#0a6350"/>` +
      `<text x="${x(items).toFixed(1)}" y="${(y(value) - 6).toFixed(1)}" text-anchor="middle">${short(value)}</text>` +
      `<text x="${x(items).toFixed(1)}" y="${HEIGHT + 14}" text-anchor="middle" fill="#4a5355">${short(items)}</text>`,
  );
  return `<text y="-32" font-size="11" font-weight="600">${title.replaceAll('&', '&amp;')}</text>
<text y="-19" fill="#4a5355">${unit}</text>
<polyline points="${at(first.items, first.value)} ${at(last.items, first.value * times)}" fill="none" stroke="#8f938f" stroke-dasharray="4 4"/>
<polyline points="${points.map(({ items, value }) => at(items, value)).join(' ')}" fill="none" stroke="#0a6350" stroke-width="2"/>
${marks.join('')}`;
}

function short(value: number): string {
  if (value >= 1e6) return `${+(value / 1e6).toPrecision(2)} M`;
  if (value >= 10_000) return `${Math.round(value / 1000)} k`;
  return String(+value.toPrecision(value >= 100 ? 3 : 2));
}
