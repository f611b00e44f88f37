/**
 * `node --import tsx bench/audit/audit.ts [share] [seed]`: plants 500 swapped printings, 200 shared ids, 50 shifted sets, 100 grades of
 * another printing and 100 cards that one source mistakes, at random in the real catalogs, of which `share` (.6) sell in a simulated
 * market (`audit-market.ts` says how); half of the swaps and shifts are in one source alone. Audits them, and prints recall and precision
 * of each kind, and how many of those found still have a price. Aim: recall and precision ≥ .9, none with a price.
 */
import { auditGame } from '../../src/audit/audit-game.ts';
import type { AuditedItem } from '../../src/audit/game-book.ts';
import { gamesToAudit, readGame } from '../../src/audit/read-game.ts';
import { runAudit } from '../../src/audit/run-audit.ts';
import { type KeptSuspect, listSuspects } from '../../src/audit/suspect-store.ts';
import type { Db } from '../../src/db/client.ts';
import { copyRows } from '../../src/db/copy.ts';
import { formatDay } from '../../src/lib/day.ts';
import { shuffle, uniformOf } from '../../src/lib/seeded.ts';
import { quotesOf } from '../../src/pricing/read/quotes.ts';
import { reprice } from '../../src/pricing/reprice.ts';
import { benchDatabase } from '../http/http-database.ts';
import { bestRecall, type JudgedPair, judgedPairs } from './audit-bound.ts';
import { LAST_DAY, type SimulatedSale, simulatedMarket } from './audit-market.ts';
import { ALL, cardsOf, hasSeveral, type PlantedShift, type PlantedSwap, plantFaults } from './audit-plants.ts';
import { importRealCatalogs } from './real-catalogs.ts';

const WANTED = { swaps: 500, shifts: 50, offCurve: 100, factors: 100 };
const SHARED_IDS = 200;
/** Of a catalog whose cards have dozens of parallels, fewer sell. */
const SPORTS_SHARE = 0.2;
/** Recall is also shown by the factor by which the kinds of the two printings usually differ. */
const FACTORS = [1, 1.25, 1.5, 2, 3, 5];

const share = Number(process.argv[2] ?? 0.6);
const uniform = uniformOf(`audit ${process.argv[3] ?? 1}`);
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
type Planted = {
  shifts: PlantedShift[];
  /** With the log of the factor by which the kinds of both usually differ. */
  swaps: (PlantedSwap & { usualApart: number })[];
  offCurve: PlantedSwap[];
  factors: PlantedSwap[];
  /** Pairs of printings as an audit would judge them that knew how the market was drawn. */
  judged: JudgedPair[];
  /** Items that have sales of another one. */
  misplaced: Set<string>;
};

/** Ids that the catalogs have on several cards as they are. */
async function faultsOfCatalogs(db: Db): Promise<Set<string>> {
  const subjects = new Set<string>();
  for (const game of await gamesToAudit(db))
    for (const { subject } of auditGame(await readGame(db, game))) subjects.add(subject);
  return subjects;
}

/** Simulates the sales of every game and records them, with faults in proportion to the items that sell. */
async function plantMarket(db: Db): Promise<Planted> {
  const games = await Promise.all(
    (await gamesToAudit(db)).map(async (game) => ({ game, ...(await readGame(db, game)) })),
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
  for (const [at, { items }] of games.entries()) {
    const market = simulatedMarket(uniform);
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
    planted.offCurve.push(...plants.offCurve);
    planted.factors.push(...plants.factors);
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
    price_usd_cents, price_minor, currency, usd_per_unit, sale_type, import_id, line`;
  await db.session(async (session) => {
    const [row] = await session.query<{ id: number }>(
      `insert into imports (kind, format, finished_at) values ('sales', 'bench', now()) returning id`,
    );
    await session.query(`insert into sources (id, display_name) select s, s from unnest($1::text[]) s`, [
      [...new Set(sales.map(({ source }) => source))],
    ]);
    const rows = sales.map(({ on, gradeKey, source, day, usdCents }, nth) => {
      const sold = [`${formatDay(day)}T12:00:00Z`, day];
      const price = [usdCents, usdCents, 'USD', 1, 'auction'];
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

type Case = { itemIds: string[]; isFoundBy(suspect: KeptSuspect): boolean };

async function report(
  db: Db & { prices: object },
  { shifts, swaps, offCurve, factors, judged, misplaced }: Planted,
  ids: readonly { stored: string; itemIds: [string, string] }[],
  inCatalogs: ReadonlySet<string>,
): Promise<void> {
  const suspects = await listSuspects(db, { before: null, limit: 100_000 });
  const subjects = new Map(
    (await db.query<{ id: number; subject: string }>('select id, subject from identity_suspects')).map((row) => [
      row.id,
      row.subject,
    ]),
  );
  const quotes = new Map<string, boolean>();
  const listed = [...new Set(suspects.flatMap(({ series }) => series.map(({ itemId }) => itemId)))];
  for (let at = 0; at < listed.length; at += 500)
    for (const [itemId, of] of await quotesOf(db, listed.slice(at, at + 500)))
      quotes.set(
        itemId,
        of.some(({ priceUsdCents }) => priceUsdCents !== null),
      );

  const cases = new Map<string, Case[]>();
  const idsOf = (swap: { items: readonly AuditedItem[] }) => swap.items.map(({ itemId }) => itemId);
  const bySubject = (kind: string, subject: string, itemIds: string[]): Case => ({
    itemIds,
    isFoundBy: (suspect) => suspect.kind === kind && subjects.get(suspect.id) === subject,
  });
  const byItem = (kind: string, itemIds: string[]): Case => ({
    itemIds,
    isFoundBy: (suspect) => suspect.kind === kind && suspect.series.some(({ itemId }) => itemIds.includes(itemId)),
  });
  const swapCases = (list: Planted['swaps']) =>
    list.map((swap) => bySubject('swapped_siblings', idsOf(swap).sort().join(' '), idsOf(swap)));
  const shiftCases = (list: readonly PlantedShift[]) =>
    list.map((shift) => bySubject('shifted_set', `${shift.setId} ${shift.language}`, shift.itemIds));
  cases.set(
    'shared ids',
    ids.map(({ stored, itemIds }) => bySubject('shared_id', stored, itemIds)),
  );
  cases.set('swaps, all', swapCases(swaps));
  for (const [isWhole, where] of [
    [true, 'all sources'],
    [false, 'one source'],
  ] as const) {
    const some = swaps.filter(({ source }) => (source === ALL) === isWhole);
    cases.set(`swaps, ${where}`, swapCases(some));
    for (const [at, from] of FACTORS.entries()) {
      const to = FACTORS[at + 1] ?? Number.POSITIVE_INFINITY;
      const within = some.filter(({ usualApart }) => Math.exp(usualApart) >= from && Math.exp(usualApart) < to);
      cases.set(
        `swaps, ${where}, × ${from}${to === Number.POSITIVE_INFINITY ? ' and more' : ` to ${to}`}`,
        swapCases(within),
      );
    }
  }
  cases.set('shifted sets, all', shiftCases(shifts));
  cases.set('shifted sets, all sources', shiftCases(shifts.filter(({ source }) => source === ALL)));
  cases.set('shifted sets, one source', shiftCases(shifts.filter(({ source }) => source !== ALL)));
  cases.set(
    'off curve',
    offCurve.map((swap) => byItem('off_curve', idsOf(swap))),
  );
  cases.set(
    'source factors',
    factors.map((swap) => byItem('source_factor', idsOf(swap))),
  );
  for (const [name, list] of cases) {
    const found = list.filter((one) => suspects.some(one.isFoundBy));
    const withheld = list.filter((one) => suspects.some((suspect) => suspect.isWithheld && one.isFoundBy(suspect)));
    const priced =
      name.startsWith('sh') || name.startsWith('sw')
        ? withheld.filter(({ itemIds }) =>
            itemIds.some((id) => quotes.get(id) && (misplaced.has(id) || name === 'shared ids')),
          ).length
        : 0;
    console.log(
      `${name.padEnd(36)} planted ${String(list.length).padStart(4)}, recall ${ratio(found.length, list.length)}, withheld ${ratio(withheld.length, list.length)}, of these with a price ${priced}`,
    );
  }

  const faulty = new Set([
    ...shifts.flatMap(({ itemIds }) => itemIds),
    ...[...swaps, ...offCurve, ...factors].flatMap(idsOf),
  ]);
  const stored = new Set(ids.map((one) => one.stored));
  for (const kind of new Set(suspects.map((suspect) => suspect.kind))) {
    const ofKind = suspects.filter((suspect) => suspect.kind === kind && !inCatalogs.has(subjects.get(suspect.id)!));
    const right = ofKind.filter(({ id, series }) =>
      kind === 'shared_id'
        ? stored.has(subjects.get(id)!)
        : isOf(
            kind,
            subjects.get(id)!,
            series.map(({ itemId }) => itemId),
          ),
    );
    const touching = ofKind.filter(({ series }) => series.some(({ itemId }) => faulty.has(itemId)));
    const partly = kind === 'swapped_siblings' ? `; naming a faulty item ${ratio(touching.length, ofKind.length)}` : '';
    console.log(
      `${kind.padEnd(36)} listed  ${String(ofKind.length).padStart(4)}, precision ${ratio(right.length, ofKind.length)}${partly}`,
    );
  }
  for (const precision of [0.9, 0.85])
    console.log(
      `swaps that an audit would find that knew how the market was drawn, at a precision of ${precision}: ${bestRecall(judged, precision).toFixed(2)}`,
    );
  console.log(`shared ids of the catalogs themselves, not counted above: ${inCatalogs.size}`);

  function isOf(kind: string, subject: string, itemIds: readonly string[]): boolean {
    if (kind === 'swapped_siblings') return swaps.some((swap) => idsOf(swap).sort().join(' ') === subject);
    if (kind === 'shifted_set') return shifts.some(({ setId, language }) => `${setId} ${language}` === subject);
    return itemIds.some((id) => faulty.has(id));
  }
}

function ratio(part: number, whole: number): string {
  return whole === 0 ? ' – ' : (part / whole).toFixed(2);
}
