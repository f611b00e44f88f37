import type { Game } from '../../catalog/games.ts';
import { numberKey } from '../../catalog/words/compare.ts';
import type { TitleReading } from './read-title.ts';

/** What titles of a game call a set or a card, in words as they are compared, and the catalog's words for it. */
export type TitleAlias = { game: Game; said: string[]; meant: string[] };

/** Aliases by the first word that titles say. */
export type TitleAliases = ReadonlyMap<string, readonly TitleAlias[]>;

/**
 * The title with the catalog's words in the place of those of aliases, the longest first; null where it has none. Of a title
 * that names no game, the game is that of its aliases; null where they are of several.
 */
export function withMeant(reading: TitleReading, aliases: TitleAliases): TitleReading | null {
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
  return { ...reading, game, words, codes: new Set(words.map(numberKey)) };
}

function longestAt({ words, game }: TitleReading, at: number, aliases: TitleAliases): TitleAlias | null {
  let longest: TitleAlias | null = null;
  for (const alias of aliases.get(words[at]!) ?? []) {
    const isOfGame = game === null || alias.game === game;
    const isSaid = alias.said.every((word, i) => words[at + i] === word);
    if (isOfGame && isSaid && alias.said.length > (longest?.said.length ?? 0)) longest = alias;
  }
  return longest;
}
