import { type TObject, Type } from 'typebox';
import { GAMES, isGame } from '../catalog/games.ts';
import { parseItemSegment, type Reading } from '../catalog/slug.ts';
import type { Context } from '../http/context.ts';
import { notFound, unknownGame } from '../http/problem.ts';
import { ITEM_COLUMNS, type ItemRow, itemHref, itemsByIds } from './item-row.ts';

/** What a locator finds: the item, and the grade that the address names, if it does. */
export type Located = {
  item: ItemRow;
  gradeKey: string | null;
  /** Named by slug: without a grade it then stands for all grades; an id stands for the representative one. */
  bySlug: boolean;
};

/** One of the three ways to name an item in an address. */
export type Locator = {
  /** Suffix of endpoint ids: `overviewBySlug`. */
  id: string;
  path: string;
  params: TObject;
  locate(context: Context, params: Record<string, string>): Promise<Located>;
};

const SLUG_PART = { type: 'string', minLength: 1, maxLength: 400 } as const;

export const slugParams = Type.Object({
  game: Type.String({ ...SLUG_PART, description: `One of ${GAMES.join(', ')}.` }),
  set: Type.String({ ...SLUG_PART, description: 'Set slug: the second path segment of a card href.' }),
  item: Type.String({ ...SLUG_PART, description: 'Card slug: the last path segment of a card href.' }),
});

export const bySlug: Locator = {
  id: 'BySlug',
  path: '/v1/items/:game/:set/:item',
  params: slugParams,
  locate: (context, params) => locateBySlug(context, params.game!, params.set!, params.item!),
};

export const byId: Locator = {
  id: 'ById',
  path: '/v1/items/by-id/:id',
  params: Type.Object({ id: Type.String({ minLength: 1, maxLength: 400, description: 'Catalog id (UUID).' }) }),
  locate: (context, params) => locateById(context, params.id!),
};

export const byUpstreamId: Locator = {
  id: 'ByUpstreamId',
  path: '/v1/items/by-upstream-id/:rid',
  params: Type.Object({ rid: Type.String({ minLength: 1, maxLength: 400, description: 'Upstream inventory id.' }) }),
  locate: (context, params) => locateByUpstreamId(context, params.rid!),
};

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const MAX_CANDIDATES = 5;

async function locateById(context: Context, id: string): Promise<Located> {
  const [item] = UUID.test(id) ? await itemsByIds(context.db, [id.toLowerCase()]) : [];
  if (item === undefined) throw notFound('No item has this id; ids are the `id` of a card in any response.');
  return { item, gradeKey: null, bySlug: false };
}

async function locateByUpstreamId(context: Context, rid: string): Promise<Located> {
  // PostgreSQL keeps no NUL in text, so no id has one.
  const [item] = rid.includes('\0')
    ? []
    : await context.db.prepared<ItemRow>(
        'item_by_upstream_id',
        `select ${ITEM_COLUMNS} from items i join sets s on s.id = i.set_id where i.upstream_item_id = $1`,
        [rid],
      );
  if (item === undefined) throw notFound('No item is mapped to this upstream id.');
  return { item, gradeKey: null, bySlug: false };
}

/**
 * Finds the item of an address by its slug. With an id token the item is found by (game, set, token) and the
 * stem only decides between two that share it; without one exactly one item over all readings must fit.
 */
async function locateBySlug(context: Context, game: string, set: string, segment: string): Promise<Located> {
  if (!isGame(game)) throw unknownGame(GAMES);
  const readings = parseItemSegment(segment);
  // An `or` of the two would search both indexes in every set of the catalog.
  const rows = await context.db.prepared<ItemRow>(
    'items_by_slug',
    `select ${ITEM_COLUMNS} from sets s cross join lateral (
       select id from items where set_id = s.id and id8 = any($3)
       union
       select id from items where set_id = s.id and stem = any($4)
     ) fits join items i on i.id = fits.id
     where s.game = $1 and s.segment = $2
     order by i.id8 = any($3) desc, i.removed_at is not null, i.id limit 200`,
    [game, set, readings.map((one) => one.id8).filter((id8) => id8 !== null), readings.map((one) => one.stem)],
  );
  const found = pick(rows, readings);
  if (found) return found;
  const candidates = rows.slice(0, MAX_CANDIDATES).map((row) => itemHref(row, null));
  const detail =
    candidates.length > 0
      ? 'This address fits several cards or none exactly; copy the whole last segment of one of `candidates`.'
      : 'No card has this address; copy the segments of a `href` from a card response.';
  throw notFound(detail, candidates.length > 0 ? { candidates } : {});
}

function pick(rows: ItemRow[], readings: Reading[]): Located | null {
  for (const reading of readings) {
    if (reading.id8 === null) continue;
    const pinned = rows.filter((row) => row.id8 === reading.id8);
    const exact = pinned.length > 1 ? pinned.filter((row) => row.stem === reading.stem) : pinned;
    if (exact.length === 1) return { item: exact[0]!, gradeKey: reading.gradeKey, bySlug: true };
    if (pinned.length > 0) return null;
  }
  const fits = readings
    .filter((reading) => reading.id8 === null)
    .flatMap((reading) =>
      rows
        .filter((row) => row.stem === reading.stem && row.language === (reading.language ?? 'English'))
        .map((item) => ({ item, gradeKey: reading.gradeKey, bySlug: true })),
    );
  return new Set(fits.map((fit) => fit.item.id)).size === 1 ? fits[0]! : null;
}
