import { readCsv } from '../../catalog/formats/csv.ts';
import { UnreadableFile } from '../../catalog/formats/files.ts';
import { readObjects } from '../../catalog/formats/ndjson.ts';
import { isUnreadable, type UnreadableField, unreadable } from '../row-fields.ts';
import { type RawSale, SALE_FIELDS } from '../sale.ts';
import { entryOf, type SaleEntry, type SalesFormat } from './sales-format.ts';

/** The own format, CSV and NDJSON; docs/guide/import-sales.md describes it for its authors. */
export const mintmarkSales: SalesFormat = {
  name: 'mintmark',
  about: 'own CSV (.csv) or NDJSON (.ndjson, .jsonl), described in docs/guide/import-sales.md',
  extensions: ['.csv', '.ndjson', '.jsonl'],
  read: (path) => (/\.(ndjson|jsonl)$/i.test(path) ? readNdjson(path) : readOwnCsv(path)),
};

const REQUIRED = ['price', 'currency', 'sold_at', 'source'] as const;

async function* readOwnCsv(path: string): AsyncGenerator<SaleEntry> {
  try {
    for await (const row of readCsv(path, SALE_FIELDS, REQUIRED)) {
      const fields = row.problem === null ? row.fields : unreadable('bad_row', row.problem);
      yield entryOf(fields, row.line, () => row.raw);
    }
  } catch (error) {
    if (!(error instanceof UnreadableFile) || !/: line \d+: /.test(error.message)) throw error;
    throw new UnreadableFile(
      `${error.message}. "mintmark import sales csv" reads other delimiters, encodings and names of columns`,
    );
  }
}

async function* readNdjson(path: string): AsyncGenerator<SaleEntry> {
  let isFirst = true;
  for await (const { line, raw, value, problem } of readObjects(path)) {
    const fields = value === null ? unreadable('bad_row', problem) : rawOf(value);
    if (isFirst && isUnreadable(fields))
      throw new UnreadableFile(`${path}: line ${line}: ${fields.message}; known fields: ${SALE_FIELDS.join(', ')}`);
    yield entryOf(fields, line, () => raw);
    isFirst = false;
  }
}

/** The known fields as text; unreadable when there is a field that is not known or is not a text, number or boolean. */
function rawOf(value: { [key: string]: unknown }): RawSale | UnreadableField {
  const raw: RawSale = {};
  for (const [key, field] of Object.entries(value)) {
    const name = SALE_FIELDS.find((known) => known === key);
    if (name === undefined) return unreadable('bad_row', `unknown field ${JSON.stringify(key.slice(0, 40))}`);
    if (field === null) continue;
    if (typeof field === 'string') raw[name] = field;
    else if (typeof field === 'number' || typeof field === 'boolean') raw[name] = String(field);
    else return unreadable('bad_row', `${name} is not a text or number`);
  }
  return raw;
}
