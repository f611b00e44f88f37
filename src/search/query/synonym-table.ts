import type { Game } from '../../catalog/games.ts';
import { readQuery } from './read-query.ts';
import type { SynonymRule } from './synonyms.ts';

/** Rules by the first word of their phrase, as queries are read. */
export type SynonymTable = ReadonlyMap<string, readonly SynonymEntry[]>;

type SynonymEntry = {
  game: Game | null;
  words: readonly string[];
  expansions: readonly string[];
  /** Another language's name of the same: items printed in it come first. */
  isTranslation: boolean;
};

/** The rules of the files, and the names of characters in other languages. */
export function newSynonymTable(
  rules: readonly SynonymRule[],
  tags: readonly { kind: string; name: string; game: Game | null; aliases: readonly string[] }[],
): SynonymTable {
  const table = new Map<string, SynonymEntry[]>();
  const add = (game: Game | null, phrase: string, expansions: readonly string[], isTranslation: boolean): void => {
    const { tokens } = readQuery(phrase);
    const words = tokens.map(({ text }) => text);
    if (words.length === 0) return;
    const entry = { game, words, expansions, isTranslation: isTranslation || tokens.some(({ isScript }) => isScript) };
    const list = table.get(words[0]!);
    if (list === undefined) table.set(words[0]!, [entry]);
    else list.push(entry);
  };
  for (const { game, phrase, expansions } of rules) add(game, phrase, expansions, false);
  for (const { kind, name, game, aliases } of tags) {
    if (kind === 'character') for (const alias of aliases) add(game, alias, [name], true);
  }
  return table;
}
