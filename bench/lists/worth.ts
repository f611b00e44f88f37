/**
 * `node --import tsx bench/lists/worth.ts [markets] [sales of a game] [first seed]`: whether the 80% range of a list's total
 * holds its true value. Markets of nine games that the process of the demo simulates are closed day by day for 1,000 days; from
 * day 400 on, every 50 days, lists of 1, 10, 100 and 1,000 random priced series are drawn, of one game and of all nine.
 * Compared with what summed ranges, and errors taken as independent, hold. No rule was chosen on seeds from 601 on.
 * Aim: 78 to 82% in each row.
 */
import { parseArgs } from 'node:util';
import { GAMES } from '../../src/catalog/games.ts';
import { shuffle, uniformOf } from '../../src/lib/seeded.ts';
import { totalRange } from '../../src/pricing/model/total.ts';
import { simulate, type WorthLine } from './worth-market.ts';

const { positionals } = parseArgs({ allowPositionals: true });
const markets = Number(positionals[0] ?? 24);
const salesPerGame = Number(positionals[1] ?? 9000);
const SIZES = [1, 10, 100, 1000];
/** Lists drawn on a day, of each game and of all. */
const DRAWN: Record<number, number> = { 1: 20, 10: 20, 100: 5, 1000: 1 };

type Range = { low: number; high: number };
/** Seed of the first market; rules were chosen on seeds below 601. */
const firstSeed = Number(positionals[2] ?? 601);
const random = uniformOf('lists');

const errorsOf = (list: readonly WorthLine[]) => list.map(({ error }) => ({ quantity: 1, error }));
const RULES: Record<string, (list: readonly WorthLine[]) => Range> = {
  joint: (list) => totalRange(errorsOf(list))!,
  summed(list) {
    const ranges = errorsOf(list).map((line) => totalRange([line])!);
    const sum = (of: (one: Range) => number) => ranges.reduce((total, one) => total + of(one), 0);
    return { low: sum(({ low }) => low), high: sum(({ high }) => high) };
  },
  independent: (list) =>
    totalRange(errorsOf(list).map(({ quantity, error }, n) => ({ quantity, error: { ...error, game: String(n) } })))!,
};

type Row = { lists: number; held: Record<string, number>; width: Record<string, number> };
const table = new Map<string, Row>();

function measure(name: string, list: readonly WorthLine[]): void {
  const worth = list.reduce((sum, { trueUsd }) => sum + trueUsd, 0);
  const row = table.get(name) ?? { lists: 0, held: {}, width: {} };
  table.set(name, row);
  row.lists++;
  for (const [rule, rangeOf] of Object.entries(RULES)) {
    const { low, high } = rangeOf(list);
    row.held[rule] = (row.held[rule] ?? 0) + (worth >= low && worth <= high ? 1 : 0);
    row.width[rule] = (row.width[rule] ?? 0) + Math.log(high / low) / 2;
  }
}

function drawLists(_day: number, lines: WorthLine[]): void {
  const pools = GAMES.map((game) => lines.filter(({ error }) => error.game === game));
  for (const size of SIZES) {
    const ofGames = pools.map((pool) => ({ name: `${size} of one game`, pool, draws: DRAWN[size]! }));
    const ofAll = { name: `${size} of nine games`, pool: lines, draws: DRAWN[size]! * 9 };
    for (const { name, pool, draws } of [...ofGames, ofAll]) {
      if (pool.length < size) continue;
      for (let draw = 0; draw < draws; draw++) {
        const drawn = Uint32Array.from(pool.keys());
        shuffle(drawn, random);
        measure(
          name,
          [...drawn.subarray(0, size)].map((at) => pool[at]!),
        );
      }
    }
  }
}

const before = process.cpuUsage();
for (let seed = firstSeed; seed < firstSeed + markets; seed++)
  simulate({ seed, days: 1000, cardsPerGame: 250, salesPerGame, everyDays: 50, fromDay: 400 }, drawLists);
const rules = Object.keys(RULES);
console.log(
  `| list | lists | ${rules.map((rule) => `${rule}: held, ± of the total`).join(' | ')} |\n|---|--:|${'--:|'.repeat(rules.length)}`,
);
let isMet = true;
for (const name of [...table.keys()].sort((a, b) => Number(a.includes('nine')) - Number(b.includes('nine')))) {
  const { lists, held, width } = table.get(name)!;
  const cells = rules.map(
    (rule) => `${((100 * held[rule]!) / lists).toFixed(1)}%, ${((100 * width[rule]!) / lists).toFixed(1)}%`,
  );
  const share = (100 * held.joint!) / lists;
  if (share < 78 || share > 82) isMet = false;
  console.log(`| ${name} | ${lists} | ${cells.join(' | ')} |`);
}
const { user } = process.cpuUsage(before);
console.log(
  `${isMet ? 'met   ' : 'MISSED'} 78 to 82% in each row; ${markets} markets, ${(user / 1e6).toFixed(0)} s CPU`,
);
process.exitCode = isMet ? 0 : 1;
