import type { Db } from '../../../src/db/client.ts';
import { formatDay } from '../../../src/lib/day.ts';
import type { Pools } from './fuzz-requests.ts';

const ITEMS = 300;
const GRADES = ['psa-10', 'psa-9', 'bgs-9-5', 'cgc-10', 'raw-A'];

/** Just inside and just outside of what a tag may be. */
const TAGS_AT_BOUNDS = [
  ...['', ' ', 'mood:', 'mood:a:b', ':x', 'Mood:x', 'mood:\u0001', 'mood:x\n'],
  ...[120, 121].flatMap((length) => [`mood:${'x'.repeat(length)}`, `mood:${'龍'.repeat(length)}`]),
  ...[160, 161].map((length) => ' '.repeat(length)),
  ...[32, 33].map((length) => `${'k'.repeat(length)}:x`),
];

type Card = { name: string; printed: string | null; set: string; number: string | null };

/** Queries as people type them: whole, in part, misspelled, with a grade; as long as they may be and one longer. */
function wordsOf(cards: readonly Card[]): string[] {
  const received = cards.flatMap(({ name, printed, set, number }) => [
    ...[name, `${name} ${set} ${number ?? ''}`, `psa 10 ${number ?? ''} ${name} japanese`, printed ?? set],
    ...[name.slice(0, 2), name.slice(0, -2), `${name[1] ?? ''}${name[0]}${name.slice(2)}`],
  ]);
  const bounds = ['x', 'é', '龍', '😀', 'ab ', '1/'].flatMap((signs) =>
    [1, 2, 80, 81, 120, 121].map((length) => [...signs.repeat(length)].slice(0, length).join('')),
  );
  return [...new Set([...received, ...bounds])];
}

/** What requests can name in a database: a few hundred items by every locator, sets, sources, tags, words. */
export async function poolsOf(db: Db, key: { id: string; secret: string }): Promise<Pools> {
  const rows = await db.query<{ id: string; rid: string | null; game: string; segment: string; stem: string }>(
    `select i.id, i.upstream_item_id as rid, i.game, s.segment, i.stem
     from items i join sets s on s.id = i.set_id
     order by row_number() over (partition by i.game order by s.segment, i.stem, i.identity_key), i.game limit $1`,
    [ITEMS],
  );
  const rotations = await db.query<{ day: number }>(
    'select distinct day from index_rotations order by day desc limit 20',
  );
  const tags = await db.query<{ kind: string; slug: string; names: string[] }>(
    `select kind, slug, name || aliases as names from tags where active order by kind, slug, game nulls first limit 500`,
  );
  const cards = await db.query<{ name: string; printed: string | null; set: string; number: string | null }>(
    `select i.name, i.printed_name as printed, s.name as set, i.number from items i join sets s on s.id = i.set_id
     order by i.id limit $1`,
    [ITEMS],
  );
  const sources = await db.query<{ id: string }>('select id from sources order by id');
  const ids = rows.map((row) => row.id);
  return {
    items: rows.map(({ id, rid, game, segment, stem }) => {
      const id8 = id.slice(0, 8);
      return {
        id: [id],
        rid: [rid ?? 'none'],
        space: ['tcgdex', 'scryfall'],
        game: [game],
        set: [segment],
        item: [stem, `${stem}-${id8}`, ...GRADES.map((grade) => `${stem}-${grade}-${id8}`)],
      };
    }),
    values: {
      ids: [ids.slice(0, 1).join(), ids.slice(0, 50).join(), ids.slice(0, 300).join(), [ids[0], ids[0]].join()],
      source: sources.map((source) => source.id),
      date: ['2026-01-01', ...rotations.map(({ day }) => formatDay(day))],
      window: ['1', '30', '365', '36500', 'all'],
      q: wordsOf(cards),
      tag: [...tags.map(({ kind, slug }) => `${kind}:${slug}`), ...TAGS_AT_BOUNDS],
      kind: [...new Set(tags.map(({ kind }) => kind)), 'mood'],
      character: tags.filter(({ kind }) => kind === 'character').flatMap(({ slug, names }) => [slug, ...names]),
      after: [''],
    },
    key: [
      ['x-api-key', key.id],
      ['x-api-secret', key.secret],
    ],
  };
}
