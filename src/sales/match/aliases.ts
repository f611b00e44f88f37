import type { Game } from '../../catalog/games.ts';
import { numberKey } from '../../catalog/words/compare.ts';
import type { TitleReading } from './read-title.ts';

/** What titles of a game call a set or a card, in words as they are compared, and the catalog's words for it. */
export type TitleAlias = {
  /** That taught it. */
  decision: number;
  game: Game;
  said: string[];
  meant: string[];
};

/** Aliases by the first word that titles say. */
export type TitleAliases = ReadonlyMap<string, readonly TitleAlias[]>;

/**
 * The title with the catalog's words in the place of those of aliases, the longest first, and the newest of their decisions;
 * null where it has none. Of a title that names no game, the game is that of its aliases; null where they are of several.
 */
export function withMeant(
  reading: TitleReading,
  aliases: TitleAliases,
): { reading: TitleReading; decision: number } | null {
  const used: TitleAlias[] = [];
  const words: string[] = [];
  for (let at = 0; at < reading.words.length; ) {
    const alias = longestAt(reading, at, aliases);
    if (alias !== null) used.push(alias);
    words.push(...(alias?.meant ?? [reading.words[at]!]));
    at += alias?.said.length ?? 1;
  }
  const [game, ...others] = new Set(used.map((alias) => alias.game));
  if (game === undefined || others.length > 0) return null;
  const decision = Math.max(...used.map((alias) => alias.decision));
  return { reading: { ...reading, game, words, codes: new Set(words.map(numberKey)) }, decision };
}

/** True for a title that has the words of an alias somewhere. */
export function says(reading: TitleReading, alias: TitleAlias): boolean {
  return reading.words.some((_word, at) => isSaidAt(reading, at, alias));
}

function longestAt(reading: TitleReading, at: number, aliases: TitleAliases): TitleAlias | null {
  let longest: TitleAlias | null = null;
  for (const alias of aliases.get(reading.words[at]!) ?? [])
    if (isSaidAt(reading, at, alias) && alias.said.length > (longest?.said.length ?? 0)) longest = alias;
  return longest;
}

function isSaidAt({ words, game }: TitleReading, at: number, alias: TitleAlias): boolean {
  return (game === null || alias.game === game) && alias.said.every((word, i) => words[at + i] === word);
}
