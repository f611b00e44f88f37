import { createHash } from 'node:crypto';
import { dayOf, parseDay } from '../lib/day.ts';
import { minorDigits, parseAmount } from '../lib/money.ts';
import { UUID } from '../lib/uuid.ts';
import {
  badDate,
  CONTROL,
  certInTitle,
  cleanTitle,
  ID_RULE,
  isId,
  isUnreadable,
  isWebAddress,
  parseInstant,
  readCert,
  show,
  type UnreadableField,
  unreadable,
  withNote,
} from './row-fields.ts';

/** A card in a grade: what has a price. */
export type SeriesName = { itemId: string; gradeKey: string };

/** The card of a row. Everything but a title identifies it with certainty. */
export type ItemRef =
  | { by: 'id' | 'href' | 'upstream' | 'title'; value: string }
  /** An id that a catalog source uses for the item. */
  | { by: 'source'; space: string; value: string };

/** How it was sold; the model's venue classes. A file that does not say is read as an auction, and `detail` says so. */
export const SALE_TYPES = ['auction', 'fixed', 'offer', 'house_auction', 'shop'] as const;
export type SaleType = (typeof SALE_TYPES)[number];

/** `sold` is a sale; the others void a sale reported before (or reject one reported for the first time). */
const SALE_STATUSES = ['sold', 'voided', 'unpaid', 'relisted'] as const;
export type SaleStatus = (typeof SALE_STATUSES)[number];

/** A recorded sale as files bring it, checked: what every reader yields and what waits as JSON. */
export type Sale = {
  item: ItemRef;
  /** Upper case; not necessarily one that is priced. Null only with a title that states it. */
  company: string | null;
  /** As the file spells it; null is an ungraded card without a stated condition, or stated by the title. */
  grade: string | null;
  /** In the minor unit of `currency`. */
  priceMinor: number;
  currency: string;
  soldAtMs: number;
  /** When the source learned of it, where the file says so. */
  knownAtMs: number | null;
  source: string;
  sourceSaleId: string;
  saleType: SaleType;
  status: SaleStatus;
  /** A best offer was taken and `priceMinor` is the asking price that was struck through. */
  priceHidden: boolean;
  quantity: number;
  cert: string | null;
  url: string | null;
  title: string | null;
  detail: string | null;
};

/** The columns that a sale and a listing have in common. */
export const OFFERED_FIELDS = [
  'item_id',
  'href',
  'upstream_id',
  'title',
  'company',
  'grade',
  'price',
  'currency',
  'source',
  'url',
] as const;
type RawOffered = { [field in (typeof OFFERED_FIELDS)[number]]?: string };

/** A sale before it is checked: the columns of the own CSV and NDJSON. Absent and empty mean the same. */
export const SALE_FIELDS = [
  ...OFFERED_FIELDS,
  'sold_at',
  'known_at',
  'sale_id',
  'sale_type',
  'status',
  'price_hidden',
  'quantity',
  'cert',
  'detail',
] as const;
export type RawSale = { [field in (typeof SALE_FIELDS)[number]]?: string };

const SOURCE = /^[a-z0-9][a-z0-9-]{0,39}$/;
const HREF = /^\/card\/[a-z-]{1,20}\/[a-z0-9-]{1,200}\/[A-Za-z0-9-]{1,300}$/;

/** Nothing was sold on line before this day; an earlier date is a typing error. */
const EARLIEST_DAY = parseDay('1995-01-01')!;

/** What a sale and a listing have in common: a card in a grade, offered somewhere for a price. */
export type Offered = Pick<Sale, 'item' | 'company' | 'grade' | 'priceMinor' | 'currency' | 'source' | 'url' | 'title'>;

/** Checks one row. Nothing is guessed: what cannot be read exactly is rejected with a sentence that states why. */
export function parseSale(raw: RawSale): Sale | UnreadableField {
  const offered = parseOffered(raw);
  if (isUnreadable(offered)) return offered;
  const soldAtMs = parseInstant(raw.sold_at ?? '');
  if (soldAtMs === null) return badDate('sold_at', raw.sold_at ?? '');
  if (dayOf(soldAtMs) < EARLIEST_DAY)
    return unreadable('bad_date', `sold_at ${show(raw.sold_at!)} is before 1995-01-01`);
  const knownAtMs = raw.known_at ? parseInstant(raw.known_at) : null;
  if (raw.known_at && knownAtMs === null) return badDate('known_at', raw.known_at);
  if (knownAtMs !== null && dayOf(knownAtMs) < dayOf(soldAtMs))
    return unreadable('bad_date', `known_at ${show(raw.known_at!)} is before sold_at`);
  const saleType = (raw.sale_type || 'auction') as SaleType;
  if (!SALE_TYPES.includes(saleType))
    return unreadable('bad_sale_type', `sale_type ${show(saleType)} is not one of ${SALE_TYPES.join(', ')}`);
  const status = (raw.status || 'sold') as SaleStatus;
  if (!SALE_STATUSES.includes(status))
    return unreadable('bad_status', `status ${show(status)} is not one of ${SALE_STATUSES.join(', ')}`);
  if (raw.price_hidden && !/^(true|false)$/.test(raw.price_hidden))
    return unreadable('bad_price_hidden', `price_hidden ${show(raw.price_hidden)} is neither true nor false`);
  if (raw.quantity && !/^[1-9]\d{0,5}$/.test(raw.quantity))
    return unreadable('bad_quantity', `quantity ${show(raw.quantity)} is not a whole number from 1`);
  const cert = raw.cert ? readCert(raw.cert) : null;
  if (raw.cert && cert === null)
    return unreadable('bad_cert', `cert ${show(raw.cert)} is not 4 to 20 letters and digits`);
  const saleId = raw.sale_id ?? '';
  if (!isId(saleId) && saleId !== '') return unreadable('bad_id', `sale_id ${show(saleId)} ${ID_RULE}`);
  // Spelled out: spreading `offered` here takes ten times as long as all of the checks.
  const sale: Sale = {
    item: offered.item,
    company: offered.company,
    grade: offered.grade,
    priceMinor: offered.priceMinor,
    currency: offered.currency,
    source: offered.source,
    url: offered.url,
    title: offered.title,
    soldAtMs,
    knownAtMs,
    sourceSaleId: saleId,
    saleType,
    status,
    priceHidden: raw.price_hidden === 'true',
    quantity: raw.quantity ? Number(raw.quantity) : 1,
    cert,
    detail: withNote(raw.detail ? cleanTitle(raw.detail) : null, raw.sale_type ? null : 'sale type assumed'),
  };
  if (saleId === '') sale.sourceSaleId = contentId(sale);
  // After the id of the content, which a title's cert is a part of already.
  if (cert === null && sale.title !== null && sale.company !== 'RAW') sale.cert = certInTitle(sale.title);
  return sale;
}

/** Checks what sales and listings have in common. */
export function parseOffered(raw: RawOffered): Offered | UnreadableField {
  const item = itemRef(raw);
  if ('reason' in item) return item;
  const source = raw.source ?? '';
  if (!SOURCE.test(source))
    return unreadable('bad_source', `source ${show(source)} must be lower-case letters, digits, -`);
  const titleOnly = item.by === 'title';
  const company = raw.company ? raw.company.trim().toUpperCase() : null;
  if (company === null && !titleOnly)
    return unreadable('bad_company', 'the company is missing (RAW for an ungraded card)');
  if (company !== null && !/^[A-Z][A-Z0-9]{1,11}$/.test(company))
    return unreadable('bad_company', `company ${show(raw.company!)} is not a word`);
  const grade = raw.grade?.trim() || null;
  if (grade !== null && (grade.length > 60 || CONTROL.test(grade)))
    return unreadable('bad_grade', `grade ${show(grade)} cannot be read`);
  if (grade === null && company !== null && company !== 'RAW' && !titleOnly)
    return unreadable('bad_grade', 'the grade is missing');
  const currency = raw.currency ?? '';
  if (minorDigits(currency) === null)
    return unreadable('bad_currency', `currency ${show(currency)} is not known (three letters such as USD)`);
  const priceMinor = parseAmount(raw.price ?? '', currency);
  if (priceMinor === null)
    return unreadable(
      'bad_price',
      `price ${show(raw.price ?? '')} is not a plain decimal number of ${currency} (1234.50: no sign, separator, exponent or currency sign)`,
    );
  const url = raw.url || null;
  if (url !== null && !isWebAddress(url))
    return unreadable('bad_url', `url ${show(url)} is not an http or https address`);
  return { item, company, grade, priceMinor, currency, source, url, title: raw.title ? cleanTitle(raw.title) : null };
}

/** Reads the part of a row that identifies the item. An exact name outranks the title. */
function itemRef(raw: RawOffered): ItemRef | UnreadableField {
  if (raw.item_id) {
    if (!UUID.test(raw.item_id.toLowerCase()))
      return unreadable('bad_id', `item_id ${show(raw.item_id)} is not a catalog id (a UUID)`);
    return { by: 'id', value: raw.item_id.toLowerCase() };
  }
  if (raw.href) {
    if (!HREF.test(raw.href))
      return unreadable('bad_id', `href ${show(raw.href)} is not a card address (/card/game/set/card)`);
    return { by: 'href', value: raw.href };
  }
  if (raw.upstream_id) {
    if (!isId(raw.upstream_id)) return unreadable('bad_id', `upstream_id ${show(raw.upstream_id)} ${ID_RULE}`);
    return { by: 'upstream', value: raw.upstream_id };
  }
  const title = raw.title ? cleanTitle(raw.title) : '';
  if (title !== '') return { by: 'title', value: title };
  return unreadable('no_item', 'the row names no card: one of item_id, href, upstream_id, title must be filled');
}

/** The id of a row whose source does not give one: rows with equal content are the same sale. */
function contentId(sale: Sale): string {
  const { item, company, grade, priceMinor, currency, soldAtMs, saleType, quantity, cert, url, title } = sale;
  const content = JSON.stringify([
    item,
    company,
    grade,
    priceMinor,
    currency,
    soldAtMs,
    saleType,
    quantity,
    cert,
    url,
    title,
  ]);
  return `content:${createHash('sha256').update(content).digest('hex').slice(0, 32)}`;
}
