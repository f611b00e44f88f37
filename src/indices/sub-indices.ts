import { type Static, Type } from 'typebox';
import { Check, Errors } from 'typebox/schema';
import { GAMES, INDEXED_GAMES } from '../catalog/games.ts';
import { gradeByKey } from '../catalog/grades.ts';
import type { Sql } from '../db/client.ts';
import { nearMiss } from '../lib/near-miss.ts';
import { readYaml, type YamlPath } from '../lib/yaml.ts';
import { type IndexDefinition, InvalidIndices, lacksSet } from './definitions.ts';

const year = Type.Integer({ minimum: 1800, maximum: 2200 });

const subIndices = Type.Array(
  Type.Object(
    {
      slug: Type.String({ pattern: '^[a-z0-9]+(-[a-z0-9]+)*$', maxLength: 60 }),
      label: Type.String({ minLength: 1, maxLength: 80 }),
      game: Type.Enum([...INDEXED_GAMES]),
      set: Type.Optional(Type.String({ minLength: 1 })),
      years: Type.Optional(Type.Tuple([year, year])),
      grade: Type.Optional(Type.String()),
      tag: Type.Optional(Type.String({ pattern: '^[a-z-]+:[a-z0-9-]+$' })),
    },
    { additionalProperties: false },
  ),
);

/** A wrong place of the list, by JSON pointer steps, and why. */
type Fault = { path: YamlPath; why: string };

/**
 * Reads an operator's sub-indices, JSON or YAML: a list of `{slug, label, game, set?, years?, grade?, tag?}`.
 * Throws InvalidIndices for the first thing that is wrong.
 */
export function readSubIndices(text: string, fileName: string): IndexDefinition[] {
  const file = readYaml(text, fileName);
  if (file.unreadable.length > 0) throw new InvalidIndices(file.unreadable[0]);
  const value = file.value();
  const invalid = ({ path, why }: Fault) => new InvalidIndices(file.mistake(path, why));
  if (!Check(subIndices, value)) throw invalid(shapeFault(value));
  const fault = faultOf(value);
  if (fault !== null) throw invalid(fault);
  return value.map(({ slug, game, label, ...universe }) => ({ slug, game, label, universe }));
}

/** The sets of an operator's sub-indices that the catalog does not have, as `file:line: /0/set why`. Throws as `readSubIndices`. */
export async function unknownSets(sql: Sql, text: string, fileName: string): Promise<string[]> {
  const file = readYaml(text, fileName);
  const mistakes: string[] = [];
  for (const [i, index] of readSubIndices(text, fileName).entries()) {
    if (!(await lacksSet(sql, index))) continue;
    const meant = await setLike(sql, index.game, index.universe.set!);
    const guess = meant === null ? '' : `; did you mean ${meant}?`;
    mistakes.push(
      file.mistake([i, 'set'], `"${index.universe.set}" is not a set of ${index.game} in the catalog${guess}`),
    );
  }
  return mistakes;
}

/** The set whose address is most like a name: its code, which addresses end with, is the same, or nearly all letters are. */
async function setLike(sql: Sql, game: string, name: string): Promise<string | null> {
  const sets = await sql.query<{ segment: string }>('select segment from sets where game = $1', [game]);
  const segments = sets.map(({ segment }) => segment);
  const code = name.slice(name.lastIndexOf('-'));
  const ofCode = segments.filter((segment) => segment.endsWith(code));
  return nearMiss(name, segments) ?? (ofCode.length === 1 ? ofCode[0]! : null);
}

function shapeFault(value: unknown): Fault {
  const [, [error]] = Errors(subIndices, value);
  return { path: error!.instancePath.split('/').slice(1), why: whyNot(error!) };
}

function whyNot({ keyword, message }: { keyword: string; message: string }): string {
  if (keyword === 'boolean') return `is not one of ${Object.keys(subIndices.items.properties).join(', ')}`;
  return keyword === 'enum' ? `must be one of ${INDEXED_GAMES.join(', ')}` : message;
}

/** The first fault that the shape alone does not show. */
function faultOf(list: Static<typeof subIndices>): Fault | null {
  const taken = new Set<string>(GAMES);
  for (const [i, one] of list.entries()) {
    const { slug, grade, years, ...rest } = one;
    if (taken.has(slug)) return { path: [i, 'slug'], why: `"${slug}" is taken by a game or another index` };
    taken.add(slug);
    if (grade !== undefined && gradeByKey(grade) === null)
      return { path: [i, 'grade'], why: `"${grade}" is not a grade` };
    if (years !== undefined && years[0] > years[1]) return { path: [i, 'years'], why: 'must be [first, last]' };
    if (grade === undefined && years === undefined && rest.set === undefined && rest.tag === undefined)
      return { path: [i], why: 'needs at least one of set, years, grade and tag' };
  }
  return null;
}
