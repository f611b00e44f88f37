import type { Sql } from '../db/client.ts';

/** The moment of the newest accepted sale of all, as SQL. */
export const NEWEST_SALE_AT = `(select sold_at from sales s
  where rejection is null and not exists (select from sale_voids v where v.sale_id = s.id)
  order by sold_at desc limit 1)`;

/** The same, read alone; null before there is one. */
export async function newestSaleAt(sql: Sql): Promise<Date | null> {
  const [row] = await sql.prepared<{ soldAt: Date | null }>('sales.newest', `select ${NEWEST_SALE_AT} as "soldAt"`);
  return row!.soldAt;
}

/** Accepted sales of a source or a game: the newest, when an import last brought one, and how many in the 30 days before. */
export type Freshness = { name: string; newestSaleAt: Date; lastReceivedAt: Date; sales30: number };

/** Freshness of every source and of every game that has a sale, as counted at a moment. */
export type CountedFreshness = { countedAtMs: number; sources: Freshness[]; games: Freshness[] };

/** So old it may be: it is one pass over all sales. */
export const FRESHNESS_MAX_AGE_MS = 600_000;
/** The last count of a server. */
export type FreshnessMemory = { last: { countedAtMs: number; reading: Promise<CountedFreshness> } | null };

/** Freshness as it was at most ten minutes before `nowMs`; concurrent callers share one count. */
export function freshnessOf(sql: Sql, memory: FreshnessMemory, nowMs: number): Promise<CountedFreshness> {
  const { last } = memory;
  const ageMs = last === null ? null : nowMs - last.countedAtMs;
  if (ageMs !== null && ageMs >= 0 && ageMs < FRESHNESS_MAX_AGE_MS) return last!.reading;
  const reading = countFreshness(sql, nowMs);
  memory.last = { countedAtMs: nowMs, reading };
  const forget = () => {
    if (memory.last?.reading === reading) memory.last = null;
  };
  // The first sales are not waited for.
  reading.then(({ sources }) => sources.length === 0 && forget(), forget);
  return reading;
}

async function countFreshness(sql: Sql, countedAtMs: number): Promise<CountedFreshness> {
  const rows = await sql.query<Freshness & { isGame: boolean }>(
    `select name, "isGame", "newestSaleAt", coalesce(m.finished_at, m.started_at) as "lastReceivedAt", sales30
     from (
       select coalesce(i.game, src.display_name) as name, i.game is not null as "isGame", max(s.sold_at) as "newestSaleAt",
         max(coalesce(s.origin_import_id, s.import_id)) as import_id,
         (count(*) filter (where s.sold_at > $1::timestamptz - interval '30 days'))::int as sales30
       from sales s join items i on i.id = s.item_id join sources src on src.id = s.source
       where s.rejection is null and i.removed_at is null
         and not exists (select from sale_voids v where v.sale_id = s.id)
       group by grouping sets ((i.game), (src.display_name))
     ) f join imports m on m.id = f.import_id
     order by "newestSaleAt" desc, name`,
    [new Date(countedAtMs)],
  );
  const of = (isGame: boolean) => rows.filter((row) => row.isGame === isGame).map(({ isGame: _, ...row }) => row);
  return { countedAtMs, sources: of(false), games: of(true) };
}
