import type { Db } from '../src/db/client.ts';
import { formatDay } from '../src/lib/day.ts';
import type { Pools } from './fuzz-requests.ts';

const ITEMS = 300;
const GRADES = ['psa-10', 'psa-9', 'bgs-9-5', 'cgc-10', 'raw-A'];

/** What requests can name in a database: a few hundred items by every locator, sets, sources. */
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
  const sources = await db.query<{ id: string }>('select id from sources order by id');
  const ids = rows.map((row) => row.id);
  return {
    items: rows.map(({ id, rid, game, segment, stem }) => {
      const id8 = id.slice(0, 8);
      return {
        id: [id],
        rid: [rid ?? 'none'],
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
    },
    key: [
      ['x-api-key', key.id],
      ['x-api-secret', key.secret],
    ],
  };
}
