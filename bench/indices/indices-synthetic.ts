/**
 * The index method on synthetic markets: levels against the known truth and the prototype's levels on the same
 * market, each figure with its aim.
 */
import { isRotationDay } from '../../src/indices/method/basket.ts';
import { INDEX_RULES, type IndexRules } from '../../src/indices/method/rules.ts';
import { mean } from '../../src/lib/stats.ts';
import { closeIndex, closeModel, type Index, newIndex, newWorld } from '../../test/indices/world.ts';
import { type Fit, fitOf, repeatSales } from './indices-compare.ts';
import { EPOCH_DAY, GAMES, type Market, trueMarket } from './indices-market.ts';
import { prototypeLevels } from './indices-prototype.ts';

const SEEDS = (process.argv[3] ?? '1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16').split(',').map(Number);
const FIRST_ROTATION_DAY = 90;
const NAIVE_DAYS = 30;
/** The rules without the hold on jumps: its cost or gain is printed next to it. */
const UNHELD: IndexRules = { ...INDEX_RULES, maxUnwitnessedMove: Number.POSITIVE_INFINITY, nearFactor: 1e9 };
/** All prices times a hundred. */
const SCALED: IndexRules = { ...INDEX_RULES, minPriceUsd: INDEX_RULES.minPriceUsd * 100 };

type GameFigures = {
  game: string;
  names: number;
  chosen: Fit;
  unheld: Fit;
  prototype: Fit;
  naive: Fit;
  monthly: Fit;
  hindsight: Fit;
  churn: number;
  heldShare: number;
  jump: number;
  scaleError: number;
  base: number;
};

export async function run(): Promise<void> {
  const seeds: GameFigures[][] = [];
  for (const seed of SEEDS) {
    const market = await trueMarket(seed);
    if (market === null) return;
    const start = performance.now();
    seeds.push(measure(market, await prototypeLevels(market, rotatesOn)));
    console.log(`\nmarket ${seed} (${((performance.now() - start) / 1000).toFixed(0)} s)`);
    console.log(
      'game        names  corr   corr30  RMSE %  unheld  proto.  naive  monthly  hindsight  in/month  held days %',
    );
    for (const one of seeds.at(-1)!) console.log(rowOf(one));
  }
  report(seeds);
}

function rotatesOn(day: number): boolean {
  return day >= FIRST_ROTATION_DAY && isRotationDay(EPOCH_DAY + day);
}

function measure(market: Market, prototype: Map<string, Map<number, number>>): GameFigures[] {
  const world = newWorld();
  const games = GAMES.map(({ name }) => ({
    name,
    chosen: newIndex(name),
    unheld: newIndex(name, UNHELD),
    scaled: newIndex(name, SCALED, 100),
    naive: new Float64Array(market.days),
  }));
  const recent = new Map<string, { day: number; priceUsdCents: number }[]>(GAMES.map(({ name }) => [name, []]));
  for (let day = 0; day < market.days; day++) {
    const sales = market.sales[day]!;
    closeModel(world, day, sales);
    for (const { game, priceUsdCents } of sales) recent.get(game)!.push({ day, priceUsdCents });
    for (const { name, chosen, unheld, scaled, naive } of games) {
      for (const index of [chosen, unheld, scaled]) closeIndex(index, world, day, rotatesOn(day));
      const window = recent.get(name)!.filter((sale) => sale.day > day - NAIVE_DAYS);
      recent.set(name, window);
      naive[day] = Math.log(mean(window.map(({ priceUsdCents }) => priceUsdCents)));
    }
  }
  // A thin game may never have had names enough: it has no levels.
  const lived = games.filter(({ chosen }) => chosen.levels.length > 0);
  return lived.map(({ name, chosen, unheld, scaled, naive }) => {
    const truth = market.truth.get(name)!;
    const days = chosen.levels.map(({ day }) => day);
    const logs = (index: Index) => index.levels.map(({ level }) => Math.log(level));
    const trueLevels = days.map((day) => truth[day]!);
    const months = monthsOf(market.days);
    const middles = months.middles.flatMap((day, month) =>
      day >= days[0]! && day < market.days ? [{ day, month }] : [],
    );
    const byDay = new Map(chosen.levels.map(({ day, level }) => [day, Math.log(level)]));
    const regression = repeatSales(market.sales, name, months.of);
    const monthlyTruth = middles.map(({ day }) => truth[day]!);
    const later = chosen.rotations.slice(1);
    return {
      game: name,
      names: chosen.members.length,
      chosen: fitOf(logs(chosen), trueLevels),
      unheld: fitOf(logs(unheld), trueLevels),
      prototype: fitOf(
        days.map((day) => prototype.get(name)!.get(day)!),
        trueLevels,
      ),
      naive: fitOf(
        days.map((day) => naive[day]!),
        trueLevels,
      ),
      monthly: fitOf(
        middles.map(({ day }) => byDay.get(day)!),
        monthlyTruth,
      ),
      hindsight: fitOf(
        middles.map(({ month }) => regression[month]!),
        monthlyTruth,
      ),
      churn: mean(later.map(({ added }) => added)),
      heldShare: chosen.heldDays / (days.length * chosen.members.length),
      jump: Math.max(...later.map(({ levelBefore, levelAfter }) => Math.abs(levelAfter / levelBefore! - 1))),
      scaleError: Math.max(...chosen.levels.map(({ level }, i) => Math.abs(scaled.levels[i]!.level / level - 1))),
      base: chosen.levels[0]!.level,
    };
  });
}

function monthsOf(days: number) {
  const of: number[] = [];
  const firsts: number[] = [];
  for (let day = 0; day < days; day++) {
    if (isRotationDay(EPOCH_DAY + day)) firsts.push(day);
    of.push(firsts.length - 1);
  }
  return { of, middles: firsts.map((first, month) => (first + (firsts[month + 1] ?? first + 20)) >> 1) };
}

const pct = (value: number, digits = 2) => (100 * value).toFixed(digits);

function rowOf(one: GameFigures): string {
  const cells = [
    one.game.padEnd(10),
    String(one.names).padStart(6),
    one.chosen.correlation.toFixed(4).padStart(7),
    one.chosen.correlation30.toFixed(3).padStart(6),
    pct(one.chosen.rmse).padStart(7),
    pct(one.unheld.rmse).padStart(7),
    pct(one.prototype.rmse).padStart(7),
    pct(one.naive.rmse).padStart(6),
    pct(one.monthly.rmse).padStart(8),
    pct(one.hindsight.rmse).padStart(10),
    one.churn.toFixed(1).padStart(9),
    pct(one.heldShare).padStart(12),
  ];
  return cells.join(' ');
}

function report(seeds: readonly (readonly GameFigures[])[]): void {
  const all = seeds.flat();
  const big = all.filter(({ names }) => names >= 60);
  const over = (of: (one: GameFigures) => number, games = all) => mean(games.map(of));
  const monthly = over(({ monthly }) => monthly.rmse);
  const hindsight = over(({ hindsight }) => hindsight.rmse);
  const rmse = over(({ chosen }) => chosen.rmse);
  const naive = over(({ naive }) => naive.rmse);
  const jump = Math.max(...all.map(({ jump }) => jump));
  const scale = Math.max(...all.map(({ scaleError }) => scaleError));
  console.log(
    '\nmean of games by market: corr',
    seeds.map((s) => over(({ chosen }) => chosen.correlation, [...s]).toFixed(4)).join(' '),
    '| corr30',
    seeds.map((s) => over(({ chosen }) => chosen.correlation30, [...s]).toFixed(3)).join(' '),
    '| RMSE %',
    seeds.map((s) => pct(over(({ chosen }) => chosen.rmse, [...s]))).join(' '),
  );
  console.log('\nwhat it is | measured | aim | ');
  const line = (what: string, measured: string, aim: string, met: boolean) =>
    console.log(`${what} | ${measured} | ${aim} | ${met ? 'met' : 'MISSED'}`);
  const corr = over(({ chosen }) => chosen.correlation);
  const least = Math.min(...big.map(({ chosen }) => chosen.correlation30));
  const corr30 = over(({ chosen }) => chosen.correlation30, big);
  line('correlation with the true market, mean', corr.toFixed(4), '>= .98', corr >= 0.98);
  line('30-day return correlation, mean of games with >= 60 names', corr30.toFixed(3), '>= .80', corr30 >= 0.8);
  console.log(`  the least of them: ${least.toFixed(3)}`);
  line('RMSE, mean of games and markets', `${pct(rmse)}%`, '<= 4.2%', rmse <= 0.042);
  line('  over the naive average', `${(rmse / naive).toFixed(2)} x`, '<= .7 x', rmse <= 0.7 * naive);
  const bigRmse = over(({ chosen }) => chosen.rmse, big);
  const prototypeRmse = over(({ prototype }) => prototype.rmse, big);
  line('RMSE, games with >= 60 names', `${pct(bigRmse)}%`, `< ${pct(prototypeRmse)}%`, bigRmse < prototypeRmse);
  const less = seeds.map((games) => {
    const paired = games
      .filter(({ names }) => names >= 60)
      .map(({ chosen, prototype }) => chosen.rmse - prototype.rmse);
    return mean(paired);
  });
  const error = Math.sqrt(mean(less.map((one) => (one - mean(less)) ** 2)) / (less.length - 1));
  console.log(`  less the prototype's, by market: mean ${pct(mean(less))}%, standard error ${pct(error)}%`);
  const unheld = [all, big].map((games) => pct(over((one) => one.unheld.rmse, games)));
  console.log(`  without the rules on jumps: all ${unheld[0]}%, games with >= 60 names ${unheld[1]}%`);
  line(
    'monthly RMSE over the hindsight regression',
    `${(monthly / hindsight).toFixed(2)} x (${pct(monthly)} / ${pct(hindsight)}%)`,
    '<= 1.2 x',
    monthly <= 1.2 * hindsight,
  );
  line('largest change of a level at a rotation', jump.toExponential(1), '<= 1e-12', jump <= 1e-12);
  line('all prices x 100, largest difference of a level', scale.toExponential(1), '<= 1e-12', scale <= 1e-12);
  line(
    'base exactly 10000',
    String(all.every(({ base }) => base === 10_000)),
    'true',
    all.every(({ base }) => base === 10_000),
  );
}
