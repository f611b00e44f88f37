import { type ReadCert, wordsOfGrader } from '../../catalog/cert.ts';
import { gradeByKey, gradeOf } from '../../catalog/grades.ts';
import type { Core } from '../../http/context.ts';
import { type ItemRow, itemHref, itemMap } from '../../items/item-row.ts';
import { dayOf } from '../../lib/day.ts';
import { type ItemPrices, lineOfPrices, readItemPrices } from '../../pricing/read/item-prices.ts';
import { readTrade, TRADE_ROWS, type TradeSource } from '../../sales/ledger.ts';
import { knownCerts, type RegisteredCert } from '../certs/registry.ts';
import type { SlabHistory } from './cert-history.ts';
import { type Contradiction, contradictionsOf, type SlabRecord, type SlabSale } from './contradictions.ts';

/** Rows of each kind that are read, the newest. */
export const MOST_ROWS = 100;
const MAX_CERT_CHARS = 20;

/** Reasons of rows that are not a sale of a slab, or a second record of one. */
const NOT_SALES = new Set(['duplicate', 'voided', 'unpaid', 'relisted', 'lot', 'not_card', 'future']);

type ChangeRow = { at: Date; field: SlabHistory['changes'][number]['field']; old: string; new: string };
type SlabSaleRow = TradeSource & { aggregates: string[] };

/** What is recorded of a slab, the newest first: sales of public sources, changes of its record, and what contradicts. */
export async function readHistory(
  { db, clock, fingerprint }: Pick<Core, 'db' | 'clock' | 'fingerprint'>,
  cert: ReadCert,
): Promise<SlabHistory> {
  const [sales, changes, known] = await Promise.all([
    db.prepared<SlabSaleRow>('slab_sales', SLAB_SALES, [wordsOfGrader(cert.company), spellingsOf(cert.key)]),
    db.prepared<ChangeRow>('cert_changes', CERT_CHANGES, [cert.company, cert.key]),
    knownCerts(db, [cert], clock()),
  ]);
  const registered = known[0]!.registered;
  const cards = changes.filter(({ field }) => field === 'card').flatMap((one) => [one.old, one.new]);
  const items = await itemMap(db, [...new Set([...sales.map(({ itemId }) => itemId), ...cards])]);
  const priceOf = dayPrices(db);
  const rows: SlabHistory['sales'] = [];
  for (const sale of sales) {
    const { source, displayName, gradeLabel, disposition, dispositionReason } = readTrade(sale, fingerprint);
    rows.push({
      soldAt: sale.soldAt.toISOString(),
      priceUsdCents: sale.priceUsdCents,
      source,
      displayName,
      gradeLabel,
      name: items.get(sale.itemId)!.name,
      href: itemHref(items.get(sale.itemId)!, sale.gradeKey),
      disposition,
      dispositionReason,
      referencePriceUsdCents: sale.gradeKey === null ? null : await priceOf(sale.itemId, sale.gradeKey, sale.soldAt),
    });
  }
  const counted = sales.filter(({ reason }) => reason === null || !NOT_SALES.has(reason));
  const contradictions = contradictionsOf(
    counted.map((sale) => slabSale(sale, items)),
    registered && recordOf(cert, registered, changes, items),
  );
  return {
    cert: cert.company + (registered?.certNumber ?? cert.certNumber),
    company: cert.company,
    sales: rows,
    changes: changes.map(({ at, field, old, new: to }) => ({
      at: at.toISOString(),
      field,
      from: field === 'card' ? hrefOf(items.get(old)) : old,
      to: field === 'card' ? hrefOf(items.get(to)) : to,
    })),
    contradictions: contradictions.reverse().slice(0, MOST_ROWS).map(contradictionBody),
  };
}

const SLAB_SALES = `select t.*, s.aggregates from (
    ${TRADE_ROWS} where cert = any($2::text[]) and company = any($1::text[]) and bucket = 'public'
      and category in ('public', 'blockchain')
    order by sold_at desc, id desc limit ${MOST_ROWS}
  ) t join sources s on s.id = t.source order by t."soldAt" desc, t.id desc`;

const CERT_CHANGES = `select at, field, old, new from cert_changes where company = $1 and cert_key = $2
  order by at desc, id desc limit ${MOST_ROWS}`;

/** As sources write a number: with any zeros before it. */
function spellingsOf(key: string): string[] {
  return Array.from({ length: Math.max(1, MAX_CERT_CHARS - key.length + 1) }, (_, zeros) => '0'.repeat(zeros) + key);
}

/** Reads reference prices of days; those of each card once. */
function dayPrices(db: Core['db']) {
  const read = new Map<string, ItemPrices>();
  return async (itemId: string, gradeKey: string, at: Date): Promise<number | null> => {
    const prices = read.get(itemId) ?? (await readItemPrices(db, itemId));
    read.set(itemId, prices);
    const day = dayOf(at.getTime());
    const [point] = await lineOfPrices(db, prices, gradeKey, day, day);
    return point?.usdCents ?? null;
  };
}

function slabSale(sale: SlabSaleRow, items: ReadonlyMap<string, ItemRow>): SlabSale {
  return {
    soldAtMs: sale.soldAt.getTime(),
    source: sale.source,
    sourceName: sale.displayName,
    aggregates: sale.aggregates,
    isToken: sale.category === 'blockchain',
    card: cardOf(items.get(sale.itemId)),
    gradeKey: sale.gradeKey,
    gradeLabel: gradeByKey(sale.gradeKey ?? '')?.label ?? sale.grade,
  };
}

/** All printings of a card with one number in a set are one here: titles of sales often do not distinguish them. */
function cardOf(item: ItemRow | null | undefined): SlabSale['card'] {
  if (item == null || item.removed_at !== null) return null;
  const { set_id, set_name, number, name, language } = item;
  return {
    key: [set_id, number ?? name, language].join(' '),
    name: `${name}${number === null ? '' : ` #${number}`} of ${set_name}`,
  };
}

function recordOf(
  { company }: ReadCert,
  { item, gradeKey, gradeLabel, state, updatedAt }: RegisteredCert,
  changes: readonly ChangeRow[],
  items: ReadonlyMap<string, ItemRow>,
): SlabRecord {
  const voided = changes.find(({ field, new: to }) => field === 'state' && to === 'deactivated');
  return {
    card: cardOf(item),
    gradeKey,
    gradeLabel: gradeByKey(gradeKey ?? '')?.label ?? gradeLabel,
    voidedAtMs: state === 'deactivated' ? (voided?.at ?? updatedAt).getTime() : null,
    earlier: changes.map(({ at, field, old }) => ({
      untilMs: at.getTime(),
      card: field === 'card' ? cardOf(items.get(old)) : null,
      gradeKey: field === 'grade' ? (gradeOf(company, old)?.key ?? null) : null,
    })),
  };
}

function contradictionBody({ kind, text, atMs }: Contradiction): SlabHistory['contradictions'][number] {
  return { kind, text, at: new Date(atMs).toISOString() };
}

function hrefOf(item: ItemRow | undefined): string {
  return item === undefined ? '' : itemHref(item, null);
}
