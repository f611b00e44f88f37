import { randomUUID } from 'node:crypto';
import type { Game } from '../../src/catalog/games.ts';
import { gradeByKey } from '../../src/catalog/grades.ts';
import { foldSlug, itemStem } from '../../src/catalog/slug.ts';
import type { Db, Sql } from '../../src/db/client.ts';
import { closeIndices } from '../../src/indices/close/close.ts';
import { dayStartMs, parseDay } from '../../src/lib/day.ts';
import { reprice } from '../../src/pricing/reprice.ts';

/** An import to hang rows on. */
export async function anImport(sql: Sql, kind = 'sales'): Promise<number> {
  const [row] = await sql.query<{ id: number }>(
    `insert into imports (kind, format, finished_at) values ($1, 'test', now()) returning id`,
    [kind],
  );
  return row!.id;
}

export async function aSet(
  sql: Sql,
  {
    game = 'pokemon',
    name = 'Base',
    code = 'base1',
    year = null,
  }: { game?: Game; name?: string; code?: string; year?: number | null } = {},
): Promise<{ id: number; game: Game; segment: string }> {
  const segment = `${foldSlug(name)}-${foldSlug(code)}`;
  const [row] = await sql.query<{ id: number }>(
    `insert into sets (game, segment, name, code, language, identity, year) values ($1, $2, $3, $4, 'English', $5, $6)
     on conflict (game, segment) do update set name = excluded.name returning id`,
    [game, segment, name, code, `${game}|test:${segment}`, year],
  );
  return { id: row!.id, game, segment };
}

export type ItemDetails = {
  set?: { id: number; game: Game };
  number?: string | null;
  name?: string;
  language?: string;
  variation?: string | null;
  year?: number | null;
  upstreamItemId?: string | null;
  id?: string;
};

/** An item (of the set "Base" by default); returns its id. */
export async function anItem(sql: Sql, details: ItemDetails = {}): Promise<string> {
  const { number = '4', name = 'Charizard', language = 'English', variation = null, year = null } = details;
  const { id = randomUUID(), upstreamItemId = null } = details;
  const set = details.set ?? (await aSet(sql));
  await sql.query(
    `insert into items (id, game, set_id, number, name, language, variation, year, stem, identity_key, upstream_item_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $1::uuid::text, $10)`,
    [id, set.game, set.id, number, name, language, variation, year, itemStem(number, name), upstreamItemId],
  );
  return id;
}

/** A row of an id space, as a catalog's import writes it. */
export async function anExternalId(
  sql: Sql,
  details: { itemId: string; space?: string; sourceId?: string; externalIds?: readonly string[] },
): Promise<void> {
  const { itemId, space = 'tcgdex', sourceId = itemId, externalIds = null } = details;
  await sql.query(
    'insert into item_sources (space, source_id, item_id, import_id, external_ids) values ($1, $2, $3, $4, $5)',
    [space, sourceId, itemId, await anImport(sql, 'catalog'), externalIds],
  );
}

export type SaleDetails = {
  itemId: string;
  gradeKey?: string;
  /** A company and grade outside the priced scale, as on the wire; instead of `gradeKey`. */
  offScale?: { company: string; grade: string };
  /** `YYYY-MM-DD`, at 00:00Z unless `soldTime` (`HH:MM:SS`) says otherwise; known on the same day unless `known` does. */
  sold?: string;
  soldTime?: string;
  known?: string;
  usdCents?: number | null;
  source?: string;
  saleId?: string;
  saleType?: string;
  cert?: string | null;
  url?: string | null;
  rejection?: string | null;
};

/** An accepted sale (PSA 10, eBay auction, $100) put straight into the ledger; returns its id. */
export async function aSale(sql: Sql, details: SaleDetails): Promise<number> {
  const { gradeKey = 'psa-10', sold = '2026-01-01', usdCents = 100_00, source = 'ebay' } = details;
  const {
    known = sold,
    saleId = randomUUID(),
    saleType = 'auction',
    rejection = null,
    url = null,
    cert = null,
  } = details;
  const grade = details.offScale ? { ...details.offScale, key: null } : gradeByKey(gradeKey)!;
  await aSource(sql, source);
  const [row] = await sql.query<{ id: number }>(
    `insert into sales (source, source_sale_id, item_id, company, grade, grade_key, sold_at, sold_day, known_at,
       known_day, price_usd_cents, price_minor, currency, usd_per_unit, sale_type, rejection, url, import_id, line, cert)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11::bigint, coalesce($11::bigint, 10000),
       'USD', 1, $12, $13, $14, $15, 1, $16)
     returning id`,
    [
      source,
      saleId,
      details.itemId,
      grade.company,
      grade.grade,
      grade.key,
      `${sold}T${details.soldTime ?? '00:00:00'}Z`,
      parseDay(sold),
      `${known}T00:00:00Z`,
      parseDay(known),
      usdCents,
      saleType,
      rejection,
      url,
      await anImport(sql),
      cert,
    ],
  );
  return row!.id;
}

/** A source named like its id. */
export async function aSource(sql: Sql, id: string): Promise<void> {
  await sql.query('insert into sources (id, display_name) values ($1, $1) on conflict do nothing', [id]);
}

/** Accepted sales at one price, one every `everyDays` days from `from` to `to` (`YYYY-MM-DD`, both included). */
export async function manySales(
  sql: Sql,
  details: {
    itemId: string;
    gradeKey?: string;
    from?: string;
    to?: string;
    everyDays?: number;
    usdCents?: number;
    source?: string;
  },
): Promise<void> {
  const { gradeKey = 'psa-10', from = '2026-04-01', to = '2026-06-28', everyDays = 7, usdCents = 100_00 } = details;
  const { source = 'ebay' } = details;
  const grade = gradeByKey(gradeKey)!;
  await aSource(sql, source);
  await sql.query(
    `insert into sales (source, source_sale_id, item_id, company, grade, grade_key, sold_at, sold_day, known_at,
       known_day, price_usd_cents, price_minor, currency, usd_per_unit, sale_type, import_id, line)
     select $1, gen_random_uuid()::text, $2, $3, $4, $5, to_timestamp(day * 86400.0), day, to_timestamp(day * 86400.0),
       day, $6, $6, 'USD', 1, 'auction', $7, 1
     from generate_series($8::int, $9::int, $10::int) day order by day`,
    [
      source,
      details.itemId,
      grade.company,
      grade.grade,
      grade.key,
      usdCents,
      await anImport(sql),
      parseDay(from),
      parseDay(to),
      everyDays,
    ],
  );
}

/** An ask (PSA 10, eBay, $120) seen from `firstSeen` to `lastSeen` (`YYYY-MM-DD`). */
export async function aListing(
  sql: Sql,
  details: {
    itemId: string;
    gradeKey?: string;
    firstSeen: string;
    lastSeen: string;
    endedAt?: string | null;
    usdCents?: number;
    source?: string;
  },
): Promise<void> {
  const { gradeKey = 'psa-10', usdCents = 120_00, source = 'ebay', endedAt = null } = details;
  const grade = gradeByKey(gradeKey)!;
  await aSource(sql, source);
  await sql.query(
    `insert into listings (source, source_listing_id, item_id, company, grade, grade_key, price_usd_cents, price_minor,
       currency, first_seen, last_seen, ended_at, import_id)
     values ($1, $2, $3, $4, $5, $6, $7, $7, 'USD', $8, $9, $10, $11)`,
    [
      source,
      randomUUID(),
      details.itemId,
      grade.company,
      grade.grade,
      grade.key,
      usdCents,
      `${details.firstSeen}T00:00:00Z`,
      `${details.lastSeen}T00:00:00Z`,
      endedAt === null ? null : `${endedAt}T00:00:00Z`,
      await anImport(sql, 'listings'),
    ],
  );
}

/** Takes a sale back (`corrected`, `duplicate`, `voided`, `unpaid` or `relisted`), known on `known` (`YYYY-MM-DD`). */
export async function aVoid(sql: Sql, saleId: number, reason: string, known: string): Promise<void> {
  await sql.query(
    'insert into sale_voids (sale_id, reason, known_at, known_day, import_id) values ($1, $2, $3, $4, $5)',
    [saleId, reason, `${known}T00:00:00Z`, parseDay(known), await anImport(sql)],
  );
}

/** Closes every day through `day` (`YYYY-MM-DD`) and prices what sold; computed as that day ended. */
export async function closeDays(db: Db, day = '2026-06-29'): Promise<void> {
  const through = parseDay(day)!;
  await reprice(db, { through, clock: () => dayStartMs(through + 1) });
}

/**
 * A live index: `cards` cards of a game, each sold every four days since 2026-01-01 and for a few percent more or less from
 * 2026-05-20 on; every day closed through `day` (`YYYY-MM-DD`). Its base date is 2026-04-01. Returns the items.
 */
export async function anIndex(
  db: Db,
  { game = 'pokemon', cards = 30, day = '2026-06-29' }: { game?: Game; cards?: number; day?: string } = {},
): Promise<string[]> {
  const set = await aSet(db, { game, name: `Market of ${game}`, code: 'mkt' });
  const itemIds: string[] = [];
  for (let n = 1; n <= cards; n++) {
    const itemId = await anItem(db, { set, number: String(n), name: `Card ${n}` });
    const usdCents = 20_00 + n * 7_00;
    const later = Math.round(usdCents * (1 + ((n % 7) - 2) / 100));
    await manySales(db, { itemId, from: '2026-01-01', to: '2026-05-19', everyDays: 4, usdCents });
    await manySales(db, { itemId, from: '2026-05-20', to: day, everyDays: 4, usdCents: later });
    itemIds.push(itemId);
  }
  await closeDays(db, day);
  await closeIndices(db, { through: parseDay(day)! });
  return itemIds;
}
