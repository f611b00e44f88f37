import { gradeByKey } from '../catalog/grades.ts';
import type { Sql } from '../db/client.ts';
import { onCluster } from '../db/distribute/dialect.ts';
import { dayStartMs } from '../lib/day.ts';
import type { Fingerprint } from '../lib/fingerprint.ts';
import type { SaleType } from './sale.ts';

/** A recorded sale as the wire shows it. */
export type TradeRow = {
  source: string;
  bucket: string;
  category: string;
  displayName: string;
  observedAt: string;
  kind: 'transaction';
  priceUsdCents: number | null;
  priceMinor: number;
  currency: string;
  detail: string | null;
  sourceUrl: string | null;
  company: string;
  grade: string;
  gradeLabel: string;
  /** How it was sold; `auction` also where the source does not say. */
  saleType: SaleType;
  /** Equal for two sales of one slab; null where the source names no cert. */
  certHash: string | null;
  disposition: 'used' | 'downweighted' | 'refused';
  dispositionReason: string | null;
};

/** Below this weight the model believed a sale noticeably less than its price says; only such weights are kept. */
export const FULL_WEIGHT = 0.5;

/**
 * The current state of every sale: its last revision, with the reason for which it is out of the model, and the weight
 * that the model gave it. `reason` is null for an accepted sale. A sale whose import was undone has no state.
 */
export const CURRENT_SALES = `
  select s.*, coalesce(s.rejection, v.reason) as reason, u.weight,
    src.bucket, src.category, src.display_name
  from sales s
  join sources src on src.id = s.source
  left join sale_voids v on v.sale_id = s.id
  left join sale_uses u on u.sale_id = s.id
  where v.sale_id is null or v.reason not in ('corrected', 'undone') and not exists (
    select from ${onCluster('sales', 'revised_sales')} n where n.source = s.source and n.source_sale_id = s.source_sale_id and n.revision > s.revision)`;

const TRADE_COLUMNS = `id, item_id as "itemId", source, bucket, category, display_name as "displayName",
  sold_at as "soldAt", price_usd_cents as "priceUsdCents", price_minor as "priceMinor", currency, detail,
  url as "sourceUrl", company, grade, grade_key as "gradeKey", sale_type as "saleType", cert, reason, weight`;

type Computed = 'observedAt' | 'kind' | 'gradeLabel' | 'certHash' | 'disposition' | 'dispositionReason';

/** SQL: the rows of all recorded sales that `readTrade` reads. */
export const TRADE_ROWS = `select ${TRADE_COLUMNS} from (${CURRENT_SALES}) s`;

/** A row of them. */
export type TradeSource = Omit<TradeRow, Computed> & {
  id: number;
  itemId: string;
  soldAt: Date;
  gradeKey: string | null;
  cert: string | null;
  reason: string | null;
  weight: number | null;
};

/** A ledger row as the wire shows it. */
export function readTrade(row: TradeSource, sign: Fingerprint): TradeRow {
  const { source, bucket, category, displayName, priceUsdCents, priceMinor, currency, detail, sourceUrl } = row;
  const { company, grade, saleType, soldAt, gradeKey, cert, reason, weight } = row;
  const downweighted = weight !== null && weight < FULL_WEIGHT;
  return {
    source,
    bucket,
    category,
    displayName,
    priceUsdCents,
    priceMinor,
    currency,
    detail,
    sourceUrl,
    company,
    grade,
    saleType,
    observedAt: soldAt.toISOString(),
    kind: 'transaction',
    gradeLabel: gradeByKey(gradeKey ?? '')?.label ?? `${row.company} ${row.grade}`.trim(),
    certHash: cert === null ? null : certHashOf(sign, row.company, cert),
    disposition: reason !== null ? 'refused' : downweighted ? 'downweighted' : 'used',
    dispositionReason: reason ?? (downweighted ? 'outlier' : null),
  };
}

const CERT_HASH_BYTES = 16;

/** No number can be read from it: leading zeros, which labels print and sources leave out, do not count. */
function certHashOf(sign: Fingerprint, company: string, cert: string): string {
  const hash = sign(`sale cert\n${company}\n${cert.replace(/^0+/, '')}`);
  return hash.subarray(0, CERT_HASH_BYTES).toString('base64url');
}

export type TradesQuery = {
  itemId: string;
  /** Null: every company and grade, those outside the priced scale too. */
  gradeKey: string | null;
  sourceId: string | null;
  /** First UTC day that is shown; null: all. */
  fromDay: number | null;
  /** Only sales that are listed after this one; null: from the newest on. */
  afterSaleId: number | null;
  limit: number;
};

/** `lastSaleId`: of the last row, where more follow. */
export type TradesPage = {
  trades: TradeRow[];
  total: number;
  sourceCounts: Record<string, number>;
  lastSaleId: number | null;
};

/** A page of the trades of a card, newest first; `total` and `sourceCounts` count those of all pages. */
export async function tradesOf(sql: Sql, query: TradesQuery, sign: Fingerprint): Promise<TradesPage> {
  const [counts, page] = await Promise.all([tradeCounts(sql, query), tradeRows(sql, query, sign)]);
  return { ...page, ...counts };
}

/** The newest trades of a card, at a grade or at all of them; `total` counts those left out too. */
export async function newestTrades(
  sql: Sql,
  { limit, ...series }: Pick<TradesQuery, 'itemId' | 'gradeKey' | 'limit'>,
  sign: Fingerprint,
): Promise<Pick<TradesPage, 'trades' | 'total'>> {
  const query = { ...series, limit, sourceId: null, fromDay: null, afterSaleId: null };
  const { trades, lastSaleId } = await tradeRows(sql, query, sign);
  return { trades, total: lastSaleId === null ? trades.length : (await tradeCounts(sql, query)).total };
}

/** Conditions of a query, their values, and what to call a statement with them. A condition without a value would cost the others their index. */
function conditionsOf({ itemId, gradeKey, sourceId, fromDay }: TradesQuery) {
  const given = [
    { name: 'grade', condition: 'grade_key =', value: gradeKey },
    { name: 'day', condition: 'sold_day >=', value: fromDay },
    { name: 'source', condition: 'source =', value: sourceId },
  ].filter(({ value }) => value !== null);
  return {
    where: ['item_id = $1', ...given.map(({ condition }, at) => `${condition} $${at + 2}`)].join(' and '),
    values: [itemId, ...given.map(({ value }) => value)] as unknown[],
    suffix: given.map(({ name }) => `-${name}`).join(''),
  };
}

async function tradeCounts(sql: Sql, query: TradesQuery) {
  const { where, values, suffix } = conditionsOf(query);
  const counts = await sql.prepared<{ source: string; count: number }>(
    `sales.trade-counts${suffix}`,
    `select source, count(*) as count from (${CURRENT_SALES}) s where ${where} group by source order by source`,
    values,
  );
  const sourceCounts = Object.fromEntries(counts.map(({ source, count }) => [source, count]));
  return { total: counts.reduce((sum, one) => sum + one.count, 0), sourceCounts };
}

async function tradeRows(sql: Sql, query: TradesQuery, sign: Fingerprint) {
  const { afterSaleId, limit } = query;
  const { where, values, suffix } = conditionsOf(query);
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const isFirst = afterSaleId === null;
  const follows = isFirst
    ? ''
    : `and (sold_at, id) < (select sold_at, id from sales where id = ${parameter(afterSaleId)})`;
  // By day first, as their index has them: of a card of many sales only the newest days are read.
  const rows = await sql.prepared<TradeSource>(
    `sales.trades${suffix}${isFirst ? '' : '-after'}`,
    `${TRADE_ROWS} where ${where} ${follows}
     order by sold_day desc, sold_at desc, id desc limit ${parameter(limit + 1)}`,
    values,
  );
  const page = rows.slice(0, limit);
  const lastSaleId = rows.length > limit ? page.at(-1)!.id : null;
  return { trades: page.map((row) => readTrade(row, sign)), lastSaleId };
}

/** A trade of the feed: the row, its id in the ledger, and the card it is of. */
type RecentTrade = TradeRow & { id: number; itemId: string; gradeKey: string };

export type MarketSelection = {
  order: 'newest' | 'biggest';
  game: string | null;
  setId: number | null;
  itemIds: readonly string[] | null;
  isRaw: boolean | null;
  /** First UTC day that it was sold on; null: all. */
  fromDay: number | null;
  limit: number;
  offset: number;
};

const NEWEST: Omit<MarketSelection, 'limit'> = {
  order: 'newest',
  game: null,
  setId: null,
  itemIds: null,
  isRaw: null,
  fromDay: null,
  offset: 0,
};

/** The accepted sales over the cards of the catalog that a selection asks for, the newest by default. */
export async function recentTrades(
  sql: Sql,
  selection: Partial<MarketSelection> & { limit: number },
  sign: Fingerprint,
): Promise<RecentTrade[]> {
  const { order, game, setId, itemIds, isRaw, fromDay, limit, offset } = { ...NEWEST, ...selection };
  const values: unknown[] = [limit, offset];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const filters = [
    's.rejection is null and i.removed_at is null',
    'not exists (select from sale_voids v where v.sale_id = s.id)',
    game !== null && `i.game = ${parameter(game)}`,
    setId !== null && `i.set_id = ${parameter(setId)}`,
    itemIds !== null && `s.item_id = any(${parameter(itemIds)}::uuid[])`,
    isRaw !== null && `s.company ${isRaw ? '=' : '<>'} 'RAW'`,
    // The index of the newest sales is on the moment.
    fromDay !== null && `s.sold_at >= ${parameter(new Date(dayStartMs(fromDay)))}`,
  ].filter((one) => one !== false);
  const by = order === 'newest' ? 'sold_at desc, id desc' : 'price_usd_cents desc nulls last, sold_at desc, id desc';
  const rows = await sql.query<TradeSource & { gradeKey: string }>(
    `${TRADE_ROWS} where id in (
       select s.id from sales s join items i on i.id = s.item_id where ${filters.join(' and ')}
       order by ${by.replaceAll(/\b(sold_at|id|price_usd_cents)\b/g, 's.$1')} limit $1 offset $2)
     order by ${by}`,
    values,
  );
  return rows.map((row) => ({ ...readTrade(row, sign), id: row.id, itemId: row.itemId, gradeKey: row.gradeKey }));
}
