import { UnreadableFile } from '../../catalog/formats/files.ts';
import { parseObject } from '../../catalog/formats/text.ts';
import { type RawSale, SALE_FIELDS } from '../sale.ts';
import { readCsv, textLines } from './csv.ts';
import { entryOf, notSale, type SaleEntry, type SalesFormat } from './sales-format.ts';

/** The own format, CSV and NDJSON; docs/guide/import-sales.md describes it for those who write it. */
export const mintmarkSales: SalesFormat = {
  name: 'mintmark',
  about: 'own CSV (.csv) or NDJSON (.ndjson, .jsonl), described in docs/guide/import-sales.md',
  extensions: ['.csv', '.ndjson', '.jsonl'],
  read: (path) => (/\.(ndjson|jsonl)$/i.test(path) ? readNdjson(path) : readOwnCsv(path)),
};

const REQUIRED = ['price', 'currency', 'sold_at', 'source'] as const;

async function* readOwnCsv(path: string): AsyncGenerator<SaleEntry> {
  for await (const row of readCsv(path, SALE_FIELDS, REQUIRED)) {
    if (row.problem !== null) yield notSale(row.line, row.endByte, row.raw, row.problem);
    else yield entryOf(row.fields, row.line, row.endByte, () => row.raw);
  }
}

async function* readNdjson(path: string): AsyncGenerator<SaleEntry> {
  let endByte = 0;
  let seen = false;
  for await (const line of textLines(path)) {
    const { number, text } = line;
    if (text === null) {
      yield notSale(number, endByte, '', line.problem);
      continue;
    }
    endByte += Buffer.byteLength(text) + 1;
    if (text.trim() === '') continue;
    const value = parseObject(text);
    if (value === null) {
      if (!seen) throw new UnreadableFile(`${path}: line ${number}: not a JSON object; NDJSON has one on each line`);
      yield notSale(number, endByte, text, 'not a JSON object');
      continue;
    }
    const raw = rawOf(value);
    if (typeof raw === 'string') {
      if (!seen) throw new UnreadableFile(`${path}: line ${number}: ${raw}; known fields: ${SALE_FIELDS.join(', ')}`);
      yield notSale(number, endByte, text, raw);
    } else yield entryOf(raw, number, endByte, () => text);
    seen = true;
  }
  if (!seen) throw new UnreadableFile(`${path}: the file is empty`);
}

/** The known fields as text; a sentence when there is a field that is not known or holds no text, number or boolean. */
function rawOf(value: { [key: string]: unknown }): RawSale | string {
  const raw: RawSale = {};
  for (const [key, field] of Object.entries(value)) {
    const name = SALE_FIELDS.find((known) => known === key);
    if (name === undefined) return `unknown field ${JSON.stringify(key.slice(0, 40))}`;
    if (field === null) continue;
    if (typeof field === 'string') raw[name] = field;
    else if (typeof field === 'number' || typeof field === 'boolean') raw[name] = String(field);
    else return `${name} holds no text or number`;
  }
  return raw;
}
