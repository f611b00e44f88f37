import { cleanText } from '../formats/text.ts';
import { type Game, isGame } from '../games.ts';
import { MAX_TAG_CHARS, TAG_KIND, TAG_SLUG, tagSlug } from './tag.ts';

/** Fields of a row that names a tag and gives it to the item of the row, if there is one. */
export const TAG_FIELDS = [
  'kind',
  'slug',
  'name',
  'game',
  'active',
  'aliases',
  'itemId',
  'href',
  'upstreamItemId',
] as const;

/** How a row names its item. */
export type TaggedItemRef = { by: 'itemId' | 'href' | 'upstreamItemId'; value: string };

export type TagRow = {
  kind: string;
  slug: string;
  name: string;
  game: Game | null;
  /** Null: as it is. */
  active: boolean | null;
  aliases: string[];
  item: TaggedItemRef | null;
};

type TagRowFields = { readonly [field in (typeof TAG_FIELDS)[number]]?: unknown };

const MAX_ALIASES = 50;
const CONTROL = /[\p{Cc}\p{Cs}]/u;

/** Checks a row of a file; a sentence when it cannot be used. In a CSV, aliases are separated by `|`. */
export function parseTagRow(fields: TagRowFields): TagRow | string {
  const { kind } = fields;
  if (typeof kind !== 'string' || !TAG_KIND.test(kind))
    return 'kind takes 1 to 32 of a-z, 0-9 and -, a letter first (mood, color)';
  const name = textOf(fields.name);
  if (name === null) return `name is missing, or longer than ${MAX_TAG_CHARS} characters, or has control characters`;
  const slug = isBlank(fields.slug) ? tagSlug(name) : fields.slug;
  if (slug === '') return 'slug is missing, and the name has no Latin letters or digits to make one of';
  if (typeof slug !== 'string' || slug.length > MAX_TAG_CHARS || !TAG_SLUG.test(slug))
    return `slug takes at most ${MAX_TAG_CHARS} of a-z, 0-9 and single - between them`;
  const game = isBlank(fields.game) ? null : fields.game;
  if (game !== null && (typeof game !== 'string' || !isGame(game))) return 'game is not one of the nine';
  const active = isBlank(fields.active) ? null : wordsOfTruth.get(fields.active);
  if (active === undefined) return 'active is neither true nor false';
  const aliases = aliasesOf(fields.aliases);
  if (aliases === null) return `aliases takes at most ${MAX_ALIASES} texts of at most ${MAX_TAG_CHARS} characters`;
  const items = (['itemId', 'href', 'upstreamItemId'] as const).filter((by) => !isBlank(fields[by]));
  const [by] = items;
  if (items.length > 1) return `${items.join(' and ')} both name an item: one is enough`;
  const value = by === undefined ? null : fields[by];
  if (value !== null && (typeof value !== 'string' || value.length > 1000 || CONTROL.test(value)))
    return `${by} is not text, or longer than 1000 characters, or has control characters`;
  return { kind, slug, name, game, active, aliases, item: value === null ? null : { by: by!, value } };
}

const wordsOfTruth = new Map<unknown, boolean>([
  [true, true],
  ['true', true],
  [false, false],
  ['false', false],
]);

function isBlank(value: unknown): value is undefined | null | '' {
  return value === undefined || value === null || value === '';
}

function textOf(value: unknown): string | null {
  if (typeof value !== 'string' || CONTROL.test(value)) return null;
  const text = cleanText(value);
  return text === null || text.length > MAX_TAG_CHARS ? null : text;
}

function aliasesOf(value: unknown): string[] | null {
  if (isBlank(value)) return [];
  const list: unknown = typeof value === 'string' ? value.split('|').filter((alias) => alias.trim() !== '') : value;
  if (!Array.isArray(list) || list.length > MAX_ALIASES) return null;
  const texts = list.map(textOf).filter((text) => text !== null);
  return texts.length === list.length ? [...new Set(texts)] : null;
}
