import { type TObject, Type } from 'typebox';
import { GAMES } from '../../catalog/games.ts';
import type { Sql } from '../../db/client.ts';
import type { Core } from '../../http/context.ts';
import { notFound } from '../../http/problem.ts';
import { UUID } from '../../lib/uuid.ts';
import { ITEM_COLUMNS, type ItemRow, itemHref, itemsByIds } from '../item-row.ts';
import { assertInCatalog } from '../withdrawn.ts';
import { findBySlug, type Located } from './locate-slug.ts';

export type { Located };

/** One of the ways to name an item in an address. */
export type Locator = {
  /** Suffix of endpoint ids: `overviewBySlug`. */
  id: string;
  path: string;
  params: TObject;
  /** Parameters by which the address names an item, besides those of the view. */
  query?: TObject;
  /** The endpoint of the bare address, where that is a link and no detail. */
  link?: { id: string; summary: string };
  /** Throws not_found, unknown_game, withdrawn, or ambiguous. */
  locate(context: Core, params: Record<string, string>, query: Record<string, string>): Promise<Located>;
};

const SLUG_PART = { type: 'string', minLength: 1, maxLength: 400 } as const;

const slugParams = Type.Object({
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
  link: { id: 'upstreamLink', summary: 'The page of an upstream inventory id' },
  params: Type.Object({ rid: Type.String({ minLength: 1, maxLength: 400, description: 'Upstream inventory id.' }) }),
  locate: (context, params) => locateByUpstreamId(context, params.rid!),
};

/** What an id names: an item, and no grade of it. @throws ProblemError `withdrawn` */
export async function namedById(sql: Sql, item: ItemRow): Promise<Located> {
  await assertInCatalog(sql, item);
  return { item, gradeKey: null, bySlug: false };
}

export async function locateById(context: Pick<Core, 'db'>, id: string): Promise<Located> {
  const [item] = UUID.test(id.toLowerCase()) ? await itemsByIds(context.db, [id.toLowerCase()]) : [];
  if (item === undefined) throw notFound('No item has this id; ids are the `id` of a card in any response.');
  return await namedById(context.db, item);
}

async function locateByUpstreamId(context: Core, rid: string): Promise<Located> {
  // Only a UUID is the same id in either case. PostgreSQL keeps no NUL in text, so no id has one.
  const spellings = UUID.test(rid.toLowerCase()) ? [rid, rid.toLowerCase(), rid.toUpperCase()] : [rid];
  const [item] = rid.includes('\0')
    ? []
    : await context.db.prepared<ItemRow>(
        'item_by_upstream_id',
        `select ${ITEM_COLUMNS} from items i join sets s on s.id = i.set_id where i.upstream_item_id = any($1)
         order by i.upstream_item_id = $2 desc, i.id limit 1`,
        [spellings, rid],
      );
  if (item === undefined) throw notFound('No item is mapped to this upstream id.');
  return await namedById(context.db, item);
}

/** The views under these first segments, which are not games. */
const VIEWS: Record<string, string> = {
  'by-id': 'overview, trades, series and fmv-series; without a last segment it is the card’s detail',
  'by-external-id': 'detail, overview, trades, series and fmv-series; without a last segment it is the card’s address',
  'by-upstream-id': 'detail, overview, trades, series and fmv-series; without a last segment it is the card’s address',
};

export async function locateBySlug(
  context: Pick<Core, 'db'>,
  game: string,
  set: string,
  segment: string,
): Promise<Located> {
  const views = VIEWS[game];
  if (views !== undefined) throw notFound(`Nothing is at this address. The views of an id are ${views}.`);
  const { isMisnamed, ...located } = await findBySlug(context.db, game, set.toLowerCase(), segment);
  await assertInCatalog(context.db, located.item);
  if (!isMisnamed) return located;
  throw notFound('The id is that of a card with another name; the candidate is its address.', {
    candidates: [itemHref(located.item, located.gradeKey)],
  });
}
