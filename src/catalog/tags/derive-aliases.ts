import type { Game } from '../games.ts';
import type { Language } from '../languages.ts';
import { charactersOf, type Roster } from './derive-characters.ts';
import { type TagSource, tagSlug } from './tag.ts';

/** Games whose characters have other names on cards, short names or titles. */
export const ALIASED_GAMES: readonly Game[] = ['pokemon', 'one-piece', 'lorcana', 'digimon', 'riftbound'];

/** Languages with a script that shows that a name has no additions: no `ex`, no owner, no brackets. */
const PLAIN_SCRIPTS: Partial<Record<Language, RegExp>> = {
  Japanese: /^[ァ-ヺー]+[♀♂]?$/,
  'Chinese Simplified': /^\p{Script=Han}+$/u,
  'Chinese Traditional': /^\p{Script=Han}+$/u,
  Korean: /^\p{Script=Hangul}+$/u,
  Thai: /^\p{Script=Thai}+$/u,
};

/**
 * Other names of a game's characters, by slug: what printings in other languages call the character itself (`ピカチュウ`,
 * `Dracaufeu`, one for each language: the most printed, the shortest of equals) and the other words of the roster.
 */
export function aliasesOf(items: readonly TagSource[], roster: Roster): Map<string, string[]> {
  const counts = new Map<string, Map<string, number>>();
  for (const item of items) {
    const [character, second] = charactersOf(item, roster);
    const alias = second === undefined && character !== undefined ? plainPrintedName(item, character) : null;
    if (alias === null) continue;
    const key = `${tagSlug(character!)} ${item.language}`;
    const names = counts.get(key) ?? new Map<string, number>();
    counts.set(key, names.set(alias, (names.get(alias) ?? 0) + 1));
  }
  const aliases = new Map<string, string[]>();
  const add = (slug: string, alias: string) => {
    const known = aliases.get(slug) ?? [];
    if (!known.includes(alias)) aliases.set(slug, [...known, alias]);
  };
  for (const [key, names] of counts) {
    const [best] = [...names].sort(
      ([a, countA], [b, countB]) => countB - countA || a.length - b.length || (a < b ? -1 : 1),
    );
    add(key.slice(0, key.indexOf(' ')), best![0]);
  }
  for (const [word, character] of roster) add(tagSlug(character), word);
  return aliases;
}

/** The printed name, where it is that of the character alone; null where it is the English one or has additions. */
function plainPrintedName(item: TagSource, character: string): string | null {
  if (item.language === 'English') return null;
  const [english, printed] = [titleless(item, item.name), titleless(item, item.printed_name ?? item.name)];
  if (printed === character) return null;
  if (english === character) return printed;
  const plain = PLAIN_SCRIPTS[item.language];
  return item.game === 'pokemon' && item.printed_name === null && plain?.test(printed) ? printed : null;
}

/** Lorcana prints `Genie - Of the Lamp`: the character is before the dash. */
function titleless({ game }: TagSource, name: string): string {
  return game === 'lorcana' ? name.split(' - ')[0]! : name;
}
