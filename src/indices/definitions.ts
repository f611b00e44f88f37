import { Type } from 'typebox';
import Value from 'typebox/value';
import { isCollection, LineCounter, parseDocument } from 'yaml';
import { GAME_LABELS, GAMES, type Game, INDEXED_GAMES } from '../catalog/games.ts';
import { gradeByKey } from '../catalog/grades.ts';
import type { Sql } from '../db/client.ts';
import { InvalidIndices } from './invalid-indices.ts';
import { METHODOLOGY_VERSION } from './rules.ts';

/** Which series of its game an index looks at; {} is all of them. */
export type Universe = {
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

const year = Type.Integer({ minimum: 1800, maximum: 2200 });

const subIndices = Type.Array(
  Type.Object(
    {
      slug: Type.String({ pattern: '^[a-z0-9]+(-[a-z0-9]+)*$', maxLength: 60 }),
      label: Type.String({ minLength: 1, maxLength: 80 }),
      game: Type.Enum([...INDEXED_GAMES]),
      set: Type.Optional(Type.String({ minLength: 1 })),
      years: Type.Optional(Type.Array(year, { minItems: 2, maxItems: 2 })),
      grade: Type.Optional(Type.String()),
      tag: Type.Optional(Type.String({ pattern: '^[a-z-]+:[a-z0-9-]+$' })),
    },
    { additionalProperties: false },
  ),
);

/**
 * Reads an operator's sub-indices, JSON or YAML: a list of `{slug, label, game, set?, years?, grade?, tag?}`.
 * Throws InvalidIndices for the first thing that is wrong.
 */
export function readSubIndices(text: string, fileName: string): IndexDefinition[] {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const [unreadable] = document.errors;
  if (unreadable !== undefined) {
    throw new InvalidIndices(
      `${fileName}:${lines.linePos(unreadable.pos[0]).line}: ${unreadable.message.split('\n')[0]}`,
    );
  }
  const refuse = (path: (string | number)[], why: string): never => {
    let node: unknown = document.contents;
    for (const step of path) node = (isCollection(node) ? node.get(step, true) : undefined) ?? node;
    const start = (node as { range?: [number, number, number] } | null)?.range?.[0] ?? 0;
    throw new InvalidIndices(`${fileName}:${lines.linePos(start).line}: /${path.join('/')} ${why}`);
  };
  const value: unknown = document.toJS();
  if (!Value.Check(subIndices, value)) {
    const [error] = Value.Errors(subIndices, value);
    const path = error!.instancePath.split('/').slice(1);
    refuse(
      path.map((step) => (/^\d+$/.test(step) ? Number(step) : step)),
      whyNot(error!),
    );
    return [];
  }
  const taken = new Set<string>(GAMES);
  for (const [i, one] of value.entries()) {
    if (taken.has(one.slug)) refuse([i, 'slug'], `"${one.slug}" is taken by a game or another index`);
    taken.add(one.slug);
    if (one.grade !== undefined && gradeByKey(one.grade) === null) refuse([i, 'grade'], `"${one.grade}" is no grade`);
    if (one.years !== undefined && one.years[0]! > one.years[1]!) refuse([i, 'years'], 'must be [first, last]');
    if (Object.keys(one).length === 3) refuse([i], 'needs at least one of set, years, grade and tag');
  }
  return value.map(({ slug, game, label, ...universe }) => ({
    slug,
    game: game as Game,
    label,
    universe: universe as Universe,
  }));
}

function whyNot(error: { keyword: string; message: string; params: object }): string {
  return `${error.message}${error.keyword === 'enum' ? `: ${INDEXED_GAMES.join(', ')}` : ''}${
    'additionalProperties' in error.params ? `: ${error.params.additionalProperties}` : ''
  }`;
}

/**
 * Makes an index known. One that is known by another definition already is refused with InvalidIndices: what it published
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

/** The items of a universe as a subquery of ids; `values` are bound from `$first` on. The grade is `gradeOf`'s. */
export function universeItems({ game, universe }: IndexDefinition, first: number): { sql: string; values: unknown[] } {
  const values: unknown[] = [game];
  const bind = (value: unknown) => `$${first + values.push(value) - 1}`;
  const conditions = [`i.game = $${first}`];
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
