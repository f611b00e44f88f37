import type { Db } from '../db/client.ts';
import { addTo } from '../lib/group-by.ts';
import { equalSetsOf } from './equal-sets.ts';
import type { Game } from './games.ts';
import type { CatalogRecord, SourceSet } from './record.ts';
import { foldSlug, setSegment } from './slug.ts';

/** A set as the importer knows it. */
export type KnownSet = {
  id: number;
  segment: string;
  /** `game|source:key` it was first known by; part of its items' identity. */
  identity: string;
  /** Another source has items in it too: joining by number and name must be certain. */
  shared: boolean;
};

type SetRow = { id: number; segment: string; identity: string; name: string; code: string | null; year: number | null };

/** The sets of one game for one source, kept in step with the database while an import runs. */
export type SetBook = {
  /** The set of a record, made when new; null when it may be another source's set, unless the map of equal sets says which. */
  resolve(record: CatalogRecord): Promise<KnownSet | null>;
  /** Ids of every set that this import has met. */
  met: Set<number>;
};

/** Opens the book of sets of `game` as `source` (an id space) sees them. */
export async function openSetBook(db: Db, game: Game, source: string): Promise<SetBook> {
  const equal = equalSetsOf(game);
  const rows = await db.query<SetRow>('select id, segment, identity, name, code, year from sets where game = $1', [
    game,
  ]);
  const links = await db.query<{ source: string; source_key: string; set_id: number }>(
    'select source, source_key, set_id from set_sources where game = $1',
    [game],
  );
  const setById = new Map(rows.map((row) => [row.id, row]));
  const segments = new Set(rows.map((row) => row.segment));
  const setIdByKey = new Map(links.map((link) => [`${link.source}:${link.source_key}`, link.set_id]));
  const namesOf = new Map<number, Set<string>>();
  for (const link of links) addTo(namesOf, link.set_id, `${link.source}:${link.source_key}`);
  const lookAlikes = new Map<string, Set<number>>();
  for (const row of rows) for (const key of lookAlikeKeys(row)) addTo(lookAlikes, key, row.id);
  const resolved = new Map<string, KnownSet | null>();
  const met = new Set<number>();

  const namesIn = (id: number) => [...(namesOf.get(id) ?? [])];

  function known(id: number): KnownSet {
    const row = setById.get(id)!;
    const shared = namesIn(id).some((name) => sourceOf(name) !== source);
    met.add(id);
    return { id, segment: row.segment, identity: row.identity, shared };
  }

  async function link(setId: number, key: string): Promise<KnownSet> {
    await db.query('insert into set_sources (game, source, source_key, set_id) values ($1, $2, $3, $4)', [
      game,
      source,
      key,
      setId,
    ]);
    setIdByKey.set(`${source}:${key}`, setId);
    addTo(namesOf, setId, `${source}:${key}`);
    return known(setId);
  }

  async function create(set: SourceSet): Promise<KnownSet> {
    const stem = setSegment(set);
    let segment = stem;
    for (let n = 2; segments.has(segment); n++) segment = `${stem}-${n}`;
    const identity = `${game}|${equal.canonical(source, set.key)}`;
    const [row] = await db.query<{ id: number }>(
      'insert into sets (game, segment, name, code, year, identity) values ($1, $2, $3, $4, $5, $6) returning id',
      [game, segment, set.name, set.code, set.year, identity],
    );
    segments.add(segment);
    setById.set(row!.id, { id: row!.id, segment, identity, name: set.name, code: set.code, year: set.year });
    return link(row!.id, set.key);
  }

  /** False when this source lists that set already, or the map pairs either of them with another set. */
  function mayBeEqual(setId: number, key: string): boolean {
    const paired = equal.sourcesOf(`${source}:${key}`);
    return !namesIn(setId).some(
      (name) => sourceOf(name) === source || equal.sourcesOf(name).has(source) || paired.has(sourceOf(name)),
    );
  }

  async function resolveNew(set: SourceSet): Promise<KnownSet | null> {
    const here = setIdByKey.get(`${source}:${set.key}`);
    if (here !== undefined) return known(here);
    for (const alias of equal.aliases(source, set.key)) {
      const there = setIdByKey.get(alias);
      if (there !== undefined) return link(there, set.key);
    }
    const twin = rows.find((row) => sameNameAndCode(row, set) && mayBeEqual(row.id, set.key));
    if (twin !== undefined) return link(twin.id, set.key);
    // The map does not pair it with another source's set: a look-alike must not be imported a second time.
    for (const key of lookAlikeKeys(set)) {
      for (const id of lookAlikes.get(key) ?? []) if (mayBeEqual(id, set.key)) return null;
    }
    return create(set);
  }

  return {
    met,
    async resolve(record) {
      const cached = resolved.get(record.set.key);
      if (cached !== undefined) return cached;
      const set = await resolveNew(record.set);
      resolved.set(record.set.key, set);
      return set;
    },
  };
}

/** Two sources that give a set of one game the same name and the same code mean one set. */
function sameNameAndCode(a: Pick<SetRow, 'name' | 'code'>, b: Pick<SetRow, 'name' | 'code'>): boolean {
  const name = foldSlug(a.name);
  if (a.code === null || b.code === null || name === '') return false;
  return name === foldSlug(b.name) && foldSlug(a.code) === foldSlug(b.code);
}

function sourceOf(name: string): string {
  return name.slice(0, name.indexOf(':'));
}

function lookAlikeKeys(set: { name: string; code: string | null; year: number | null }): string[] {
  const keys: string[] = [];
  if (set.code !== null && foldSlug(set.code) !== '') keys.push(`code ${foldSlug(set.code).replaceAll('-', '')}`);
  const name = foldSlug(set.name);
  if (name !== '') keys.push(`name ${name} ${set.year ?? ''}`);
  return keys;
}
