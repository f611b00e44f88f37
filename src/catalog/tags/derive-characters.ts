import { speciesInName } from '../formats/pokemon-species.ts';
import type { Game } from '../games.ts';
import { type TagSource, tagSlug } from './tag.ts';

/**
 * Other words for a game's characters, folded: short names that only one of them can mean (`luffy` for Monkey.D.Luffy)
 * and titles (`loose-cannon` for Jinx).
 */
export type Roster = ReadonlyMap<string, string>;

export const NO_ROSTER: Roster = new Map();

/** Characters of an item by the rules of its game, forms folded into their character, in the order of the card. */
export function charactersOf(item: TagSource, roster: Roster): string[] {
  const { game } = item;
  const named = item.facts.characters ?? namedBy(item, roster);
  const fold = FOLDS[game];
  const names = named
    .flatMap(partners)
    .map((name) => (fold ? fold(name) : name).trim())
    .filter((name) => name !== '' && !(game === 'sports' && isNoPlayer(name, item)));
  return [...new Set(names.map((name) => roster.get(tagSlug(name)) ?? name))];
}

/**
 * The roster of a game, from what its catalog calls characters and cards. Short names are those of One Piece: what
 * follows the `D.`, or the last word of a name, where no other character has it as a name or a last word.
 */
export function rosterOf(game: Game, items: readonly TagSource[]): Roster {
  if (game === 'one-piece') return shortNames(items);
  if (game === 'riftbound') return titles(items);
  return NO_ROSTER;
}

/** Characters in the name of a card, for a catalog without characters. */
function namedBy(item: TagSource, roster: Roster): string[] {
  const { game, name } = item;
  const kind = item.facts.cardKind;
  if (game === 'pokemon' && (kind === undefined || kind === 'Pokémon')) return speciesInName(name);
  if (game === 'gundam' && kind?.startsWith('Unit')) return [name];
  if (game === 'riftbound' && (kind === 'Unit' || kind === 'Legend')) return champion(name, kind, roster);
  return [];
}

/** `Annie - Fiery` and `Annie, Fiery` are Annie; so is the legend `Dark Child - Starter`, by its title. */
function champion(name: string, kind: string, roster: Roster): string[] {
  const [first, rest] = name.split(/ - |, /);
  if (kind === 'Legend') {
    const known = roster.get(tagSlug(first!));
    if (known !== undefined) return [known];
    if (rest === STARTER) return [];
  }
  return rest === undefined ? [] : [first!];
}

/** Printed behind the title of a legend in starter decks. */
const STARTER = 'Starter';

/** Two or more on one card: `Kaido & Linlin`, `Tommy, Takuya, & Zoe`. `Ken Griffey, Jr.` and `Ran and Shaw` are one. */
function partners(name: string): string[] {
  if (!/ &(?:amp;)? |, and /.test(name)) return [name];
  return name.split(/,?\s+&(?:amp;)?\s+|,\s+and\s+|,\s+(?!Jr\b|Sr\b)/);
}

const withoutBrackets = (name: string) => name.replace(/\s*[([].*$/, '');

/** Forms of one character, by game; in the others the catalogs list the character itself. */
const FOLDS: Partial<Record<Game, (name: string) => string>> = {
  'one-piece': withoutBrackets,
  digimon: (name) =>
    withoutBrackets(name)
      .replace(/:.*$| - .*$/, '')
      .replace(/ X(?: Anti-?body)?$/, ''),
  // The owner is not part of the name of a machine: `Char's Gelgoog`.
  gundam: (name) => withoutBrackets(name).replace(/^\S.*?(?:'s|s') (?=\S)/, ''),
  sports: (name) => name.replace(/ (?:AS|RC|UER)$/, ''),
};

/** Checklists list season leaders, finals and teams besides players. */
function isNoPlayer(name: string, item: TagSource): boolean {
  return (
    name === item.facts.team ||
    /^(?:19|20)\d\d\b|:|\b(?:Leaders|Highlights|Champions|Championship|Finals|Checklist|Super Bowl)\b/.test(name)
  );
}

function shortNames(items: readonly TagSource[]): Roster {
  // Names next to a partner are often short themselves ("Ace & Newgate"): they must not make a short name ambiguous.
  const single = items.flatMap((item) => item.facts.characters ?? []).filter((name) => partners(name).length === 1);
  const meant = new Map<string, Set<string>>();
  for (const name of new Set(single.map(withoutBrackets))) {
    for (const word of [tagSlug(name), shortOf(name)]) meant.set(word, (meant.get(word) ?? new Set()).add(name));
  }
  meant.delete('');
  const roster = new Map<string, string>();
  for (const [word, [name, another]] of meant)
    if (another === undefined && tagSlug(name!) !== word) roster.set(word, name!);
  return roster;
}

/** What follows the `D.`, else the last word; empty for one word and for what is not a name (`Baby 5`, `Doc Q`). */
function shortOf(name: string): string {
  const after = /\.D\.(.+)$/.exec(name)?.[1];
  const words = name.split(/[\s."]+/);
  const last = after ?? (words.length > 1 ? words.at(-1)! : '');
  return /^\p{L}{3,}$/u.test(last) ? tagSlug(last) : '';
}

function titles(items: readonly TagSource[]): Roster {
  const roster = new Map<string, string>();
  for (const { name, facts } of items) {
    const [first, title] = name.split(' - ');
    if (facts.cardKind === 'Legend' && title !== undefined && title !== STARTER) roster.set(tagSlug(title), first!);
  }
  return roster;
}
