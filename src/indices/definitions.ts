import { GAME_LABELS, type Game, INDEXED_GAMES } from '../catalog/games.ts';
import type { Sql } from '../db/client.ts';
import { METHODOLOGY_VERSION } from './method/rules.ts';

/** Sub-indices that cannot be used; the message names the line, the place and the reason. */
export class InvalidIndices extends Error {
  override name = 'InvalidIndices';
}

/** Which series of its game an index considers; {} is all of them. */
type Universe = {
  /** Path segment of a set. */
  set?: string;
  /** First and last year of the cards. */
  years?: readonly [number, number];
  /** Slug token of a grade: `psa-10`. */
  grade?: string;
  /** `kind:slug`. */
  tag?: string;
};

export type IndexDefinition = { slug: string; game: Game; label: string; universe: Universe };

/** The public index of each indexed game. */
export const GAME_INDICES: readonly IndexDefinition[] = INDEXED_GAMES.map((game) => ({
  slug: game,
  game,
  label: GAME_LABELS[game],
  universe: {},
}));

/**
 * Makes an index known. One that is known by another definition already is rejected with InvalidIndices: what it published
 * would not follow from its definition any more.
 */
export async function keepDefinition(sql: Sql, { slug, game, label, universe }: IndexDefinition): Promise<void> {
  const [kept] = await sql.query<{ same: boolean }>(
    `insert into indices as i (slug, game, label, definition, methodology_version) values ($1, $2, $3, $4, $5)
     on conflict (slug) do update set label = excluded.label
     returning i.game = $2 and i.definition = $4::jsonb as same`,
    [slug, game, label, JSON.stringify(universe), METHODOLOGY_VERSION],
  );
  if (!kept!.same) throw new InvalidIndices(`${slug}: was defined otherwise before; give the new index a new slug`);
}

/** Whether an index is of a set that the catalog does not have. */
export async function lacksSet(sql: Sql, { game, universe: { set } }: IndexDefinition): Promise<boolean> {
  if (set === undefined) return false;
  return (await sql.query('select from sets where game = $1 and segment = $2', [game, set])).length === 0;
}

/** The items of a universe as a subquery of ids over `values`. Its grade is not among the conditions. */
export function universeItems({ game, universe }: IndexDefinition): { sql: string; values: unknown[] } {
  const values: unknown[] = [game];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const conditions = ['i.game = $1'];
  const { set, years, tag } = universe;
  if (set !== undefined)
    conditions.push(`i.set_id in (select id from sets where game = i.game and segment = ${bind(set)})`);
  if (years !== undefined) conditions.push(`i.year between ${bind(years[0])} and ${bind(years[1])}`);
  if (tag !== undefined) {
    const [kind, slug] = tag.split(':');
    conditions.push(`exists (select from item_tags it join tags t on t.id = it.tag_id
      where it.item_id = i.id and t.active and (t.game is null or t.game = i.game)
        and t.kind = ${bind(kind)} and t.slug = ${bind(slug)})`);
  }
  return { sql: `select i.id from items i where ${conditions.join(' and ')}`, values };
}
