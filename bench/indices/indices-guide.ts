/**
 * The index method on real monthly guide prices of Pokemon cards, taken for what they are not: one sale a month of each
 * series, made at the guide price on the first of the month, from one source. So counts are months with a price,
 * turnover is the sum of the last three guide prices, the ranking is by price, and a guide price is the reference price with full
 * confidence. Prints levels and churn against the mean move of all series, and draws docs/methodology/index-guide.svg.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { type BasketCandidate, chooseBasket, seriesKey } from '../../src/indices/method/basket.ts';
import { type CountedSale, evidenceFor } from '../../src/indices/method/evidence.ts';
import { closePrices, divisorFor, levelOf } from '../../src/indices/method/level.ts';
import { INDEX_RULES } from '../../src/indices/method/rules.ts';
import { formatDay, parseDay } from '../../src/lib/day.ts';
import { mean } from '../../src/lib/stats.ts';
import { testData } from '../../test/support/test-data.ts';
import { fitOf } from './indices-compare.ts';

type Series = { itemId: string; gradeKey: string; prices: Map<number, number>; sales: CountedSale[] };
type Member = { key: string; weight: number; priceUsd: number };
type Month = { day: number; level: number; all: number; size: number; added: number; held: number };

export async function run(): Promise<void> {
  const path = testData('sales', 'monthly-guide-by-grade', 'card_market_history_pokemon.csv');
  if (path === null) return;
  const series = readGuide(path);
  const months = measure(series);
  for (const { day, level, all, size, added, held } of months) {
    const cells = [
      level.toFixed(0).padStart(6),
      all.toFixed(0).padStart(6),
      `${size}`.padStart(4),
      `${added}`.padStart(3),
    ];
    console.log(`${formatDay(day).slice(0, 7)} ${cells.join(' ')} ${`${held}`.padStart(2)}`);
  }
  const later = months.slice(1);
  const { correlation } = fitOf(
    months.map(({ level }) => Math.log(level)),
    months.map(({ all }) => Math.log(all)),
  );
  console.log('(month, level, all series, names, names in, names held)');
  console.log(
    `${series.size} series; ${months.length} months; ${mean(later.map(({ added }) => added)).toFixed(1)} names in a rotation`,
  );
  console.log(
    `correlation of logs with the mean move of all series ${correlation.toFixed(3)}; held ${mean(months.map(({ held }) => held)).toFixed(2)} names a month`,
  );
  writeFileSync('docs/methodology/index-guide.svg', chartOf(months));
}

function readGuide(path: string): Map<string, Series> {
  const found = new Map<string, Series>();
  for (const line of readFileSync(path, 'utf8').trim().split('\n').slice(1)) {
    const [itemId, month, gradeKey, price] = line.split(',') as [string, string, string, string];
    const day = parseDay(month);
    const priceUsd = Number(price);
    if (day === null || !(priceUsd > 0)) continue;
    const key = seriesKey(itemId, gradeKey);
    const one: Series = found.get(key) ?? { itemId, gradeKey, prices: new Map(), sales: [] };
    found.set(key, one);
    one.prices.set(day, priceUsd);
    one.sales.push({ soldDay: day, priceUsdCents: Math.round(priceUsd * 100), source: 'guide' });
  }
  return found;
}

function measure(series: ReadonlyMap<string, Series>): Month[] {
  const days = [...new Set([...series.values()].flatMap(({ prices }) => [...prices.keys()]))].sort((a, b) => a - b);
  const months: Month[] = [];
  let members: Member[] = [];
  let divisor = 1;
  days.forEach((day, i) => {
    const closed = closePrices(
      members,
      members.map(({ key }) => series.get(key)!.prices.get(day) ?? null),
      (place) => series.get(members[place]!.key)!.sales,
      day,
    );
    members = members.map((member, place) => ({ ...member, priceUsd: closed[place]!.priceUsd }));
    const level = members.length === 0 ? INDEX_RULES.base : levelOf(members, divisor);
    const held = new Map(members.map((member) => [member.key, member.priceUsd]));
    const choice = chooseBasket(candidatesOn(series, held, day), new Set(held.keys()), day);
    if ('skipped' in choice) return;
    members = choice.members.map(({ itemId, gradeKey, priceUsd }) => {
      return { key: seriesKey(itemId, gradeKey), weight: 1 / choice.members.length, priceUsd };
    });
    divisor = divisorFor(members, level);
    const before = months.at(-1);
    months.push({
      day,
      level,
      all: before === undefined ? INDEX_RULES.base : before.all * Math.exp(meanMove(series, days[i - 1]!, day)),
      size: members.length,
      added: members.filter(({ key }) => !held.has(key)).length,
      held: closed.filter(({ state }) => state === 'held').length,
    });
  });
  return months;
}

function candidatesOn(
  series: ReadonlyMap<string, Series>,
  held: ReadonlyMap<string, number>,
  day: number,
): BasketCandidate[] {
  const candidates: BasketCandidate[] = [];
  for (const [key, { itemId, gradeKey, prices, sales }] of series) {
    const value = prices.get(day);
    if (value === undefined) continue;
    const priceUsd = held.get(key) ?? value;
    const firstSaleDay = Math.min(...prices.keys());
    candidates.push({ itemId, gradeKey, firstSaleDay, priceUsd, confidence: 1, ...evidenceFor(sales, priceUsd, day) });
  }
  return candidates;
}

/** Mean log move of every series that has a price on both days, those that move over three times left out. */
function meanMove(series: ReadonlyMap<string, Series>, from: number, to: number): number {
  const moves: number[] = [];
  for (const { prices } of series.values()) {
    const move = Math.log(prices.get(to)! / prices.get(from)!);
    if (Math.abs(move) < Math.log(3)) moves.push(move);
  }
  return mean(moves);
}

/** Both lines on a log axis, 640 by 300; pages give the classes the colors of their theme. */
function chartOf(months: readonly Month[]): string {
  const [width, height, left, bottom] = [640, 300, 56, 270];
  const values = months.flatMap(({ level, all }) => [level, all]);
  const [low, high] = [Math.log(Math.min(...values)) - 0.05, Math.log(Math.max(...values)) + 0.05];
  const x = (i: number) => (left + ((width - left - 10) * i) / (months.length - 1)).toFixed(1);
  const y = (value: number) => (bottom - ((bottom - 20) * (Math.log(value) - low)) / (high - low)).toFixed(1);
  const line = (of: (month: Month) => number) => months.map((month, i) => `${x(i)},${y(of(month))}`).join(' ');
  const grid = [2500, 5000, 10_000, 20_000, 40_000, 80_000].filter(
    (value) => Math.log(value) > low && Math.log(value) < high,
  );
  const years = months.flatMap(({ day }, i) =>
    formatDay(day).slice(5, 7) === '01' ? [{ i, year: formatDay(day).slice(0, 4) }] : [],
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="11">`,
    '<title>The index method on monthly guide prices of Pokemon cards</title>',
    `<rect class="drawing-ground" width="${width}" height="${height}" fill="#fff"/>`,
    ...grid.map(
      (v) =>
        `<path class="drawing-grid" d="M${left} ${y(v)}H${width - 10}" stroke="#ddd"/><text x="${left - 6}" y="${y(v)}" dy="4" text-anchor="end">${v.toLocaleString('en-US')}</text>`,
    ),
    ...years.map(
      ({ i, year }) =>
        `<path class="drawing-grid" d="M${x(i)} 20V${bottom}" stroke="#ddd"/><text x="${x(i)}" y="${bottom + 16}" text-anchor="middle">${year}</text>`,
    ),
    `<polyline points="${line(({ all }) => all)}" class="drawing-other" fill="none" stroke="#777" stroke-width="1.5"/>`,
    `<polyline points="${line(({ level }) => level)}" class="drawing-line" fill="none" stroke="#0a6350" stroke-width="2"/>`,
    '</svg>\n',
  ].join('\n');
}
