/**
 * `node --import tsx bench/audit/audit.ts [share] [seed] [titled]`: plants 500 swapped printings, 200 shared ids, 50 shifted sets, 100
 * grades of another printing and 100 cards that one source mistakes, at random in the real catalogs. A `share` (.6) of the items sell
 * in a simulated market (`audit-market.ts` says how), and a share of `titled` (.6) of the sales have a title; half of the swaps and shifts
 * are in one source alone. Audits them, and prints recall and precision of each kind, and how many of those found still have a price.
 * Aim: recall and precision ≥ .9, none with a price.
 */
import { auditGame } from '../../src/audit/audit-game.ts';
import { gamesToAudit, readGame } from '../../src/audit/read-game.ts';
import { runAudit } from '../../src/audit/run-audit.ts';
import type { Db } from '../../src/db/client.ts';
import { copyRows } from '../../src/db/copy/copy.ts';
import { formatDay } from '../../src/lib/day.ts';
import { shuffle, uniformOf } from '../../src/lib/seeded.ts';
import { reprice } from '../../src/pricing/reprice.ts';
import { loadTitles } from '../../src/sales/titles.ts';
import { benchDatabase } from '../http/http-database.ts';
import { judgedPairs } from './audit-bound.ts';
import { LAST_DAY, type SimulatedSale, simulatedMarket } from './audit-market.ts';
import { cardsOf, hasSeveral, type PlantedSwap, plantFaults } from './audit-plants.ts';
import { type Planted, report } from './audit-report.ts';
import { listingTitles } from './audit-titles.ts';
import { importRealCatalogs } from './real-catalogs.ts';

const WANTED = { swaps: 500, shifts: 50, offCurve: 100, factors: 100 };
const SHARED_IDS = 200;
/** Of a catalog whose cards have dozens of parallels, fewer sell. */
const SPORTS_SHARE = 0.2;

const share = Number(process.argv[2] ?? 0.6);
const uniform = uniformOf(`audit ${process.argv[3] ?? 1}`);
const titled = Number(process.argv[4] ?? 0.6);
const { db: plain, stop } = await benchDatabase();
const db = { ...plain, prices: {} };
try {
  await importRealCatalogs(db);
  const inCatalogs = await faultsOfCatalogs(db);
  const planted = await plantMarket(db);
  const ids = await plantSharedIds(db);
  await db.query('analyze');
  await reprice(db, { through: LAST_DAY });
  const started = performance.now();
  await runAudit(db);
  console.log(`audited in ${((performance.now() - started) / 1000).toFixed(1)} s`);
  await report(db, planted, ids, inCatalogs);
} finally {
  await stop();
}

type Sold = SimulatedSale & { on: string };
/** Ids that the catalogs have on several cards as they are. */
async function faultsOfCatalogs(db: Db): Promise<Set<string>> {
  const subjects = new Set<string>();
  for (const game of await gamesToAudit(db))
    for (const { subject } of auditGame(await readGame(db, game, () => loadTitles(db)))) subjects.add(subject);
  return subjects;
}

/** Simulates the sales of every game and records them, with faults in proportion to the items that sell. */
async function plantMarket(db: Db): Promise<Planted> {
  const games = await Promise.all(
    (await gamesToAudit(db)).map(async (game) => ({ game, ...(await readGame(db, game, () => loadTitles(db))) })),
  );
  const selling = games.map(({ game, items }) =>
    items.filter(() => uniform() < share * (game === 'sports' ? SPORTS_SHARE : 1)),
  );
  const all = selling.reduce((sum, { length }) => sum + length, 0);
  const several = selling.map(
    (items) => cardsOf(items.filter(({ number }) => number !== null)).filter(hasSeveral).length,
  );
  const allSeveral = several.reduce((sum, count) => sum + count, 0);
  const planted: Planted = { shifts: [], swaps: [], offCurve: [], factors: [], judged: [], misplaced: new Set() };
  const sales: Sold[] = [];
  const titleOf = await listingTitles(db, titled);
  for (const [at, { items }] of games.entries()) {
    const market = simulatedMarket(uniform, titleOf);
    const ids = new Set(selling[at]!.map(({ itemId }) => itemId));
    const part = (count: number) => Math.round((count * ids.size) / all);
    const partOfSeveral = (count: number) => Math.round((count * several[at]!) / allSeveral);
    const { swaps, shifts, offCurve, factors } = WANTED;
    const wanted = {
      swaps: partOfSeveral(swaps),
      shifts: part(shifts),
      offCurve: partOfSeveral(offCurve),
      factors: part(factors),
    };
    const plants = plantFaults(items, ids, wanted, uniform);
    const first = sales.length;
    for (const item of selling[at]!)
      for (const sale of market.salesOf(item)) {
        const on = plants.recordedOn(sale);
        if (on === null) continue;
        sales.push({ ...sale, on });
        if (on !== sale.itemId) planted.misplaced.add(on);
      }
    const otherwise = new Set([
      ...plants.shifts.flatMap(({ itemIds }) => itemIds),
      ...[...plants.offCurve, ...plants.factors].flatMap((one) => one.items.map(({ itemId }) => itemId)),
    ]);
    planted.judged.push(
      ...judgedPairs({
        items: items.filter(({ itemId }) => !otherwise.has(itemId)),
        sales: sales.slice(first),
        kindLevelOf: market.kindLevelOf,
        swapped: new Set(
          plants.swaps.map((swap) =>
            swap.items
              .map(({ itemId }) => itemId)
              .sort()
              .join(' '),
          ),
        ),
      }),
    );
    planted.shifts.push(...plants.shifts);
    // A grade that neither printing sold at is as it would be without the fault.
    const hasMoved = ({ items }: PlantedSwap) => items.some(({ itemId }) => planted.misplaced.has(itemId));
    planted.offCurve.push(...plants.offCurve.filter(hasMoved));
    planted.factors.push(...plants.factors.filter(hasMoved));
    for (const swap of plants.swaps) {
      const [one, other] = swap.items.map(market.kindLevelOf);
      planted.swaps.push({ ...swap, usualApart: Math.abs(one! - other!) });
    }
  }
  await recordSales(db, sales);
  console.log(`${all} items sell, ${sales.length} sales`);
  return planted;
}

async function recordSales(db: Db, sales: readonly Sold[]): Promise<void> {
  const columns = `source, source_sale_id, item_id, company, grade, grade_key, sold_at, sold_day, known_at, known_day,
    price_usd_cents, price_minor, currency, usd_per_unit, sale_type, title, import_id, line`;
  await db.session(async (session) => {
    const [row] = await session.query<{ id: number }>(
      `insert into imports (kind, format, finished_at) values ('sales', 'bench', now()) returning id`,
    );
    await session.query(`insert into sources (id, display_name) select s, s from unnest($1::text[]) s`, [
      [...new Set(sales.map(({ source }) => source))],
    ]);
    const rows = sales.map(({ on, gradeKey, source, day, usdCents, title }, nth) => {
      const sold = [`${formatDay(day)}T12:00:00Z`, day];
      const price = [usdCents, usdCents, 'USD', 1, 'auction', title];
      return [source, String(nth), on, 'PSA', gradeKey, gradeKey, ...sold, ...sold, ...price, row!.id, nth + 1];
    });
    await copyRows(session, `sales (${columns})`, rows);
  });
}

/** Gives ids of random rows to random other items of the game. */
async function plantSharedIds(db: Db): Promise<{ stored: string; itemIds: [string, string] }[]> {
  const rows = await db.query<{ itemId: string; game: string; stored: string }>(
    `select t.item_id as "itemId", i.game, t.external_ids[1] as stored from item_sources t join items i on i.id = t.item_id
     where cardinality(t.external_ids) > 0 and t.removed_at is null order by t.space, t.source_id`,
  );
  shuffle(rows, uniform);
  const others = rows.slice(SHARED_IDS);
  const planted = rows.slice(0, SHARED_IDS).flatMap(({ itemId, game, stored }, at) => {
    const other = others.find((row, place) => place >= at * 7 && row.game === game && row.itemId !== itemId);
    return other === undefined ? [] : [{ stored, itemIds: [itemId, other.itemId] as [string, string] }];
  });
  for (const { stored, itemIds } of planted)
    await db.query(
      `update item_sources set external_ids = external_ids || $2::text
       where ctid = (select ctid from item_sources where item_id = $1 and external_ids is not null and removed_at is null limit 1)`,
      [itemIds[1], stored],
    );
  return planted;
}
