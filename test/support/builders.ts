import { randomUUID } from 'node:crypto';
import type { Game } from '../../src/catalog/games.ts';
import { gradeByKey } from '../../src/catalog/grades.ts';
import { foldSlug, itemStem } from '../../src/catalog/slug.ts';
import type { Sql } from '../../src/db/client.ts';
import { parseDay } from '../../src/lib/day.ts';

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
  { game = 'pokemon', name = 'Base', code = 'base1' }: { game?: Game; name?: string; code?: string } = {},
): Promise<{ id: number; game: Game; segment: string }> {
  const segment = `${foldSlug(name)}-${foldSlug(code)}`;
  const [row] = await sql.query<{ id: number }>(
    `insert into sets (game, segment, name, code, language, identity) values ($1, $2, $3, $4, 'English', $5)
     on conflict (game, segment) do update set name = excluded.name returning id`,
    [game, segment, name, code, `${game}|test:${segment}`],
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

/** An item (of the set "Base" unless told otherwise); returns its id. */
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

export type SaleDetails = {
  itemId: string;
  gradeKey?: string;
  /** `YYYY-MM-DD`; known on the same day unless `known` says otherwise. */
  sold?: string;
  known?: string;
  usdCents?: number;
  source?: string;
  saleId?: string;
  saleType?: string;
  refusal?: string | null;
};

/** An accepted sale (PSA 10, eBay auction, $100) put straight into the ledger; returns its id. */
export async function aSale(sql: Sql, details: SaleDetails): Promise<number> {
  const { gradeKey = 'psa-10', sold = '2026-01-01', usdCents = 100_00, source = 'ebay' } = details;
  const { known = sold, saleId = randomUUID(), saleType = 'auction', refusal = null } = details;
  const grade = gradeByKey(gradeKey)!;
  await sql.query('insert into sources (id, display_name) values ($1, $1) on conflict do nothing', [source]);
  const [row] = await sql.query<{ id: number }>(
    `insert into sales (source, source_sale_id, item_id, company, grade, grade_key, sold_at, sold_day, known_at,
       known_day, price_usd_cents, price_minor, currency, usd_per_unit, sale_type, refusal, import_id, line)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11,
       'USD', 1, $12, $13, $14, 1)
     returning id`,
    [
      source,
      saleId,
      details.itemId,
      grade.company,
      grade.grade,
      grade.key,
      `${sold}T00:00:00Z`,
      parseDay(sold),
      `${known}T00:00:00Z`,
      parseDay(known),
      usdCents,
      saleType,
      refusal,
      await anImport(sql),
    ],
  );
  return row!.id;
}
