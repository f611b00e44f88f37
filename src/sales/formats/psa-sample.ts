import { basename } from 'node:path';
import { readCsv } from '../../catalog/formats/csv.ts';
import { listFiles, UnreadableFile } from '../../catalog/formats/files.ts';
import { recordEntry } from '../../catalog/formats/source-files.ts';
import { cleanText, yearOf } from '../../catalog/formats/text.ts';
import { isLanguage, type Language } from '../../catalog/languages.ts';
import type { CatalogEntry, CatalogFormat } from '../../catalog/record.ts';
import { parseDay } from '../../lib/day.ts';
import type { RawSale, SaleStatus, SaleType } from '../sale.ts';
import { entryOf, notSale, type SaleEntry, type SalesFormat } from './sales-format.ts';

/**
 * A sample of graded Pokémon sales as published on the web: cards are hashes, some of them with a name beside.
 * `clean_sales_YYYY-MM*.csv` is `asset8,grade,"day:price …"`, `recent_sales*.csv` has one sale a row with venue and status.
 */
const SPACE = 'psa-sample';

/** `mintmark import catalog psa-sample`: the set "PSA sample", one item for each hash that has a sale or a name. */
export const psaSampleCatalog: CatalogFormat = {
  name: SPACE,
  game: 'pokemon',
  about: 'the PSA sold sample: assets*.csv, clean_sales*.csv, recent_sales*.csv',
  async *read(paths) {
    const files = await listFiles(paths, ['.csv']);
    const known = new Map<string, AssetFields>();
    const hashes = new Set<string>();
    for (const file of files) {
      const isAssets = basename(file).startsWith('assets');
      const columns = isAssets ? ASSET_COLUMNS : columnsOf(file);
      for await (const row of readCsv<string>(file, columns, columns)) {
        if (row.problem !== null) {
          yield { kind: 'broken', message: row.problem, where: `${file}:${row.line}` };
          continue;
        }
        const hash = row.fields.asset8 ?? '';
        if (!/^[0-9a-f]{8}$/.test(hash)) {
          yield {
            kind: 'broken',
            message: `"${hash.slice(0, 40)}" is not an asset hash`,
            where: `${file}:${row.line}`,
          };
          continue;
        }
        hashes.add(hash);
        if (isAssets) known.set(hash, row.fields);
      }
    }
    for (const hash of [...hashes].sort()) yield recordOf(hash, known.get(hash) ?? {});
  },
};

/** `mintmark import sales psa-sample`: both kinds of sales files; needs the catalog of the same name. */
export const psaSampleSales: SalesFormat = {
  name: SPACE,
  about: 'the PSA sold sample: clean_sales_YYYY-MM*.csv and recent_sales*.csv (import its catalog first)',
  extensions: ['.csv'],
  async *read(path) {
    if (basename(path).startsWith('assets')) return;
    yield* basename(path).startsWith('clean_sales') ? readClean(path) : readRecent(path);
  },
};

const ASSET_COLUMNS = ['asset8', 'year', 'set', 'card_number', 'subject', 'variety', 'card_name'];
const CLEAN_COLUMNS = ['asset8', 'grade', 'sales'];
const RECENT_COLUMNS = ['asset8', 'date', 'price', 'source', 'sale_type', 'status', 'ref'];

type AssetFields = { [column: string]: string | undefined };

function columnsOf(path: string): string[] {
  const name = basename(path);
  if (name.startsWith('clean_sales')) return CLEAN_COLUMNS;
  if (name.startsWith('recent_sales')) return RECENT_COLUMNS;
  throw new UnreadableFile(`${path}: the name is not one of assets*.csv, clean_sales*.csv, recent_sales*.csv`);
}

function recordOf(hash: string, asset: AssetFields): CatalogEntry {
  const set = asset.set?.replace(/ \(told from a listing title\)$/, '');
  // The set's name goes into the variation: all cards are one set here, and (number, name) repeats across real sets.
  const variation = [set, asset.variety].map(cleanText).filter(Boolean).join(', ') || null;
  return recordEntry({
    game: 'pokemon',
    ids: [[SPACE, hash]],
    set: { key: 'sample', name: 'PSA sample', code: null, year: null },
    number: cleanText(asset.card_number),
    name: cleanText(asset.subject) ?? hash,
    language: languageOf(`${asset.set ?? ''} ${asset.variety ?? ''}`),
    variation,
    year: yearOf(asset.year),
  });
}

function languageOf(text: string): Language {
  const word = text.split(/\W+/).find(isLanguage);
  return word !== undefined && isLanguage(word) ? word : 'English';
}

async function* readClean(path: string): AsyncGenerator<SaleEntry> {
  const month = /(\d{4}-\d\d)/.exec(basename(path))?.[1];
  if (month === undefined || parseDay(`${month}-01`) === null)
    throw new UnreadableFile(`${path}: the month of its sales is not in the name (clean_sales_2026-05.csv)`);
  for await (const row of readCsv<string>(path, CLEAN_COLUMNS, CLEAN_COLUMNS)) {
    const { line, endByte } = row;
    if (row.problem !== null) {
      yield notSale(line, endByte, row.raw, row.problem);
      continue;
    }
    const { asset8 = '', grade = '', sales = '' } = row.fields;
    // A day can have several sales at one price: the position on the day distinguishes them.
    const seenOn = new Map<string, number>();
    for (const pair of sales.split(' ')) {
      const [dayOfMonth = '', price = ''] = pair.split(':');
      const date = `${month}-${dayOfMonth.padStart(2, '0')}`;
      const position = (seenOn.get(date) ?? 0) + 1;
      seenOn.set(date, position);
      yield itemEntry(asset8, line, endByte, pair, {
        company: 'PSA',
        grade,
        price,
        currency: 'USD',
        sold_at: date,
        source: 'alt-sold',
        sale_id: `${asset8}/${grade}/${date}/${position}`,
      });
    }
  }
}

const VENUES: Record<string, { source: string; house?: boolean }> = {
  eBay: { source: 'ebay' },
  Alt: { source: 'alt' },
  Goldin: { source: 'goldin', house: true },
  'PWCC Weekly Auctions': { source: 'fanatics', house: true },
  'PWCC Fixed Price': { source: 'fanatics' },
  'PWCC Premier Auctions': { source: 'fanatics', house: true },
  'Fanatics Collect': { source: 'fanatics' },
  MySlabs: { source: 'myslabs' },
  CardHobby: { source: 'cardhobby' },
  Pristine: { source: 'pristine', house: true },
};
const SALE_TYPES: Record<string, SaleType> = { AUCTION: 'auction', BUY_IT_NOW: 'fixed', BEST_OFFER: 'offer' };
const STATUSES: Record<string, SaleStatus> = { ok: 'sold', RELISTED: 'relisted', NOT_PAID: 'unpaid' };

async function* readRecent(path: string): AsyncGenerator<SaleEntry> {
  for await (const row of readCsv<string>(path, RECENT_COLUMNS, RECENT_COLUMNS)) {
    const { line, endByte, raw } = row;
    const refuse = (message: string, reason?: string) => notSale(line, endByte, raw, message, reason);
    if (row.problem !== null) {
      yield refuse(row.problem);
      continue;
    }
    const { asset8 = '', date = '', price = '', source = '', sale_type = '', status = '', ref = '' } = row.fields;
    const venue = VENUES[source];
    const type = SALE_TYPES[sale_type];
    if (venue === undefined) yield refuse(`venue "${source.slice(0, 40)}" is not known`, 'bad_source');
    else if (type === undefined) yield refuse(`sale type "${sale_type.slice(0, 40)}" is not known`, 'bad_sale_type');
    else if (STATUSES[status] === undefined) yield refuse(`status "${status.slice(0, 40)}" is not known`, 'bad_status');
    else {
      yield itemEntry(asset8, line, endByte, raw, {
        company: 'PSA',
        grade: '10',
        price,
        currency: 'USD',
        sold_at: date,
        source: venue.source,
        sale_id: ref,
        sale_type: type === 'auction' && venue.house ? 'house_auction' : type,
        status: STATUSES[status],
        url: venue.source === 'ebay' && /^\d+$/.test(ref) ? `https://www.ebay.com/itm/${ref}` : undefined,
      });
    }
  }
}

/** An entry whose item is identified by the hash. */
function itemEntry(hash: string, line: number, endByte: number, text: string, raw: RawSale): SaleEntry {
  // parseSale wants an item; the hash takes the title's place until it is known to be a sale.
  const entry = entryOf({ ...raw, title: hash }, line, endByte, () => text);
  if (entry.sale !== null) {
    entry.sale.item = { by: 'source', space: SPACE, value: hash };
    entry.sale.title = null;
  }
  return entry;
}
