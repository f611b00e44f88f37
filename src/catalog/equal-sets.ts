import { existsSync, readFileSync } from 'node:fs';
import type { Game } from './games.ts';

/** Which sets of different sources are one set: the committed map `equal-sets/<game>.json`. */
type EqualSets = {
  /** The other names of a set, each `source:key`. */
  aliases(source: string, key: string): string[];
  /** The one name of a set, whichever source lists it first: ids do not depend on the order of imports. */
  canonical(source: string, key: string): string;
  /** The sources in which the map names the set `source:key`; none when it does not know it. */
  sourcesOf(name: string): Set<string>;
};

/** One set: its key in each source that has it. */
type Group = Record<string, string>;

/** Reads the map of a game; a game without one has no equal sets. */
export function equalSetsOf(game: Game): EqualSets {
  const file = new URL(`./equal-sets/${game}.json`, import.meta.url);
  const groups: Group[] = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
  const groupOf = new Map<string, string[]>();
  for (const group of groups) {
    const names = Object.entries(group).map(([source, key]) => `${source}:${key}`);
    for (const name of names) groupOf.set(name, names);
  }
  return {
    aliases: (source, key) => (groupOf.get(`${source}:${key}`) ?? []).filter((name) => name !== `${source}:${key}`),
    sourcesOf: (name) => new Set((groupOf.get(name) ?? []).map((other) => other.slice(0, other.indexOf(':')))),
    canonical: (source, key) => groupOf.get(`${source}:${key}`)?.[0] ?? `${source}:${key}`,
  };
}
