/**
 * `node --import tsx bench/search/search.ts [text] [tags] [http] [growth] [--world <folder>]`: the search over the real catalogs
 * (imported into the database of DATABASE_URL or MINTMARK_DATA, their tags derived) grown to 500,000 items in a scratch
 * database; all parts when none is named. `--world` keeps that database for the next run. Prints each figure with its
 * aim, and ends with 1 when one is missed. Times are CPU: on a shared machine the clock measures what others do.
 */
import { parseArgs } from 'node:util';
import { loadIndex } from '../../src/search/index/load-index.ts';
import { measureGrowth } from './search-growth.ts';
import { measureHttp } from './search-http.ts';
import { measureTags, measureText } from './search-text.ts';
import { openSearchWorld } from './search-world.ts';

const PARTS = ['text', 'tags', 'http', 'growth'];

const { positionals, values } = parseArgs({ options: { world: { type: 'string' } }, allowPositionals: true });
if (positionals.some((part) => !PARTS.includes(part))) {
  console.error(`usage: node --import tsx bench/search/search.ts [${PARTS.join('] [')}] [--world <folder>]`);
  process.exit(2);
}
const isAsked = (part: string) => positionals.length === 0 || positionals.includes(part);

const world = await openSearchWorld(values.world);
try {
  const { db, connection } = world;
  if (isAsked('growth')) await measureGrowth(connection);
  if (['text', 'tags', 'http'].some(isAsked)) {
    const index = await loadIndex(db);
    if (isAsked('text')) await measureText(db, index);
    if (isAsked('tags')) await measureTags(db, index);
    if (isAsked('http')) await measureHttp(connection, index);
  }
} finally {
  await world.stop();
}
