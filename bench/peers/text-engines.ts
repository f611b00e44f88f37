import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import MiniSearch from 'minisearch';
import sqlite from 'node-sqlite3-wasm';
import { foldWords } from '../../src/catalog/words/fold.ts';
import type { Db } from '../../src/db/client.ts';
import { loadIndex } from '../../src/search/index/load-index.ts';
import { rankText } from '../../src/search/query/rank-text.ts';
import { HITS } from '../search/judged-hits.ts';

/** A built text search: ids of the best items for a query, and the bytes of its files, if it has any. */
export type TextEngine = { find(q: string): string[]; fileBytes: number; close(): void };

export const TEXT_ENGINES = {
  Mintmark: openMintmark,
  MiniSearch: openMiniSearch,
  'SQLite FTS5 (WebAssembly)': openFts,
} as const;
export type TextEngineName = keyof typeof TEXT_ENGINES;

async function openMintmark(db: Db): Promise<TextEngine> {
  const index = await loadIndex(db);
  return { find: (q) => rankText(index, q).slice(0, HITS).map(index.idOf), fileBytes: 0, close() {} };
}

/** The words of an item by field, folded as Mintmark folds them, with the weight of the field. */
const FIELDS = { number: 4, name: 4, set_name: 2, variation: 1, other: 0.5 } as const;
type Field = keyof typeof FIELDS;
type Document = Record<Field | 'id', string>;
const NAMES = Object.keys(FIELDS) as Field[];

/** A game's words are of its items; a number also counts without its total and leading zeros. */
const DOCUMENTS = `select i.id, concat_ws(' ', i.number, ltrim(split_part(i.number, '/', 1), '0')) as number,
  concat_ws(' ', i.name, i.printed_name) as name, concat_ws(' ', s.name, s.code, coalesce(i.year, s.year)) as set_name,
  concat_ws(' ', i.variation, i.rarity, i.language) as variation,
  concat_ws(' ', i.facts->>'artist', i.facts->>'team', i.game) as other
  from items i join sets s on s.id = i.set_id where i.removed_at is null
  order by coalesce(i.year, s.year), i.set_id, i.variation nulls first, i.id`;
const BATCH = 2000;

async function* documents(db: Db): AsyncGenerator<Document[]> {
  const client = await db.openPool(1).connect();
  try {
    await client.query(`begin; declare documents cursor for ${DOCUMENTS}`);
    for (let isLast = false; !isLast; ) {
      const { rows } = await client.query<Document>(`fetch ${BATCH} from documents`);
      for (const row of rows) for (const name of NAMES) row[name] = foldWords(row[name]).join(' ');
      yield rows;
      isLast = rows.length < BATCH;
    }
  } finally {
    client.release(true);
  }
}

/** Prefixes and a fifth of a word's letters wrong, all words needed; any of them where no item has all. */
async function openMiniSearch(db: Db): Promise<TextEngine> {
  const index = new MiniSearch<Document>({
    fields: NAMES,
    tokenize: (text) => text.split(' ').filter((word) => word !== ''),
    searchOptions: { boost: FIELDS, prefix: true, fuzzy: 0.2 },
  });
  for await (const rows of documents(db)) index.addAll(rows);
  function find(q: string): string[] {
    const words = foldWords(q).join(' ');
    const all = index.search(words, { combineWith: 'AND' });
    const found = all.length > 0 ? all : index.search(words, { combineWith: 'OR' });
    return found.slice(0, HITS).map(({ id }) => id as string);
  }
  return { find, fileBytes: 0, close() {} };
}

/** bm25 with weights, every word a prefix, all of them needed; any of them where no item has all. No misspellings: it has none. */
async function openFts(db: Db): Promise<TextEngine> {
  const folder = mkdtempSync(join(tmpdir(), 'mintmark-bench-'));
  const path = join(folder, 'text.sqlite');
  const store = new sqlite.Database(path);
  store.exec(`pragma journal_mode = off; pragma synchronous = off; pragma locking_mode = exclusive; pragma cache_size = -64000;
    create virtual table documents using fts5(id unindexed, ${NAMES.join(', ')}, prefix = '2 3'); begin`);
  const insert = store.prepare(`insert into documents values (${['id', ...NAMES].map(() => '?').join(', ')})`);
  for await (const rows of documents(db))
    for (const row of rows) insert.run([row.id, ...NAMES.map((name) => row[name])]);
  insert.finalize();
  store.exec(`insert into documents(documents) values ('optimize'); commit`);
  const weights = [0, ...Object.values(FIELDS)].join(', ');
  const select = store.prepare(
    `select id from documents where documents match ? order by bm25(documents, ${weights}), rowid limit ${HITS}`,
  );
  function find(q: string): string[] {
    const words = foldWords(q).map((word) => `"${word}"*`);
    if (words.length === 0) return [];
    const all = select.all(words.join(' AND '));
    const found = all.length > 0 ? all : select.all(words.join(' OR '));
    return found.map(({ id }) => id as string);
  }
  function close(): void {
    select.finalize();
    store.close();
    rmSync(folder, { recursive: true, force: true });
  }
  return { find, fileBytes: statSync(path).size, close };
}
