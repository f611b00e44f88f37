import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { foldWords } from '../../../src/catalog/words/fold.ts';

export const CATEGORIES = [
  'number-set',
  'nickname',
  'typo',
  'other-language',
  'sports',
  'variation',
  'grade-words',
  'name-only',
] as const;

export const HALVES = ['tuning', 'held-out'] as const;
export type Half = (typeof HALVES)[number];

/** Which items are a right answer: those that have every field that is given. */
const Answer = Type.Object(
  {
    game: Type.Optional(Type.String()),
    /** The set's segment. */
    set: Type.Optional(Type.String()),
    number: Type.Optional(Type.String()),
    /** Its words are all words of the item's name; in another script it is the printed name itself. */
    name: Type.Optional(Type.String()),
    /** What a word of the item's name begins with, for queries that are a beginning only. */
    prefix: Type.Optional(Type.String({ pattern: '^[a-z0-9]+$' })),
    /** Null is the plain printing; `has` asks for words of the variation. */
    variation: Type.Optional(Type.Union([Type.String(), Type.Null(), Type.Object({ has: Type.String() })])),
    language: Type.Optional(Type.String()),
  },
  { additionalProperties: false, minProperties: 1 },
);
export type Answer = Type.Static<typeof Answer>;

const Judged = Type.Object(
  {
    q: Type.String({ minLength: 1, maxLength: 80 }),
    category: Type.Enum([...CATEGORIES]),
    answers: Type.Array(Answer, { minItems: 1 }),
  },
  { additionalProperties: false },
);
export type JudgedQuery = Type.Static<typeof Judged>;

const isJudged = Compile(Judged);

export type JudgedItem = {
  game: string;
  set: string;
  number: string | null;
  name: string;
  printed_name: string | null;
  variation: string | null;
  language: string;
};

/**
 * The judged queries.
 * @throws Error when the file is not the one that was hashed before tuning, or a line is not well-formed.
 */
export function readJudged(): JudgedQuery[] {
  const file = readFileSync(new URL('judged.ndjson', import.meta.url));
  const hashed = readFileSync(new URL('judged.sha256', import.meta.url), 'utf8').trim();
  const hash = createHash('sha256').update(file).digest('hex');
  if (hash !== hashed)
    throw new Error(`test/support/judged/judged.ndjson was changed: its SHA-256 is ${hash}, not ${hashed}`);
  return file.toString('utf8').trimEnd().split('\n').map(parseLine);
}

function parseLine(line: string, i: number): JudgedQuery {
  const judged: unknown = JSON.parse(line);
  if (!isJudged.Check(judged))
    throw new Error(`test/support/judged/judged.ndjson:${i + 1} is not a judged query: ${line}`);
  return judged;
}

/** Queries with an odd first byte of their SHA-256 are held out: nobody chose which. */
export function halfOf(q: string): Half {
  return createHash('sha256').update(q).digest()[0]! % 2 === 1 ? 'held-out' : 'tuning';
}

/** Whether the item is a right answer. */
export function isAnswer(item: JudgedItem, answer: Answer): boolean {
  const { game, set, number, name, prefix, variation, language } = answer;
  return (
    (game === undefined || game === item.game) &&
    (set === undefined || set === item.set) &&
    (number === undefined || number === item.number) &&
    (language === undefined || language === item.language) &&
    (variation === undefined || hasVariation(item, variation)) &&
    (name === undefined || hasName(item, name)) &&
    (prefix === undefined || foldWords(item.name).some((word) => word.startsWith(prefix)))
  );
}

function hasVariation(item: JudgedItem, wanted: NonNullable<Answer['variation']> | null): boolean {
  if (wanted === null || typeof wanted === 'string') return item.variation === wanted;
  return hasWords(item.variation ?? '', wanted.has);
}

function hasName(item: JudgedItem, name: string): boolean {
  if (!/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Cyrillic}]/u.test(name)) {
    return hasWords(item.name, name);
  }
  return (item.printed_name ?? item.name).normalize('NFKC') === name.normalize('NFKC');
}

function hasWords(text: string, wanted: string): boolean {
  const words = new Set(foldWords(text));
  return foldWords(wanted).every((word) => words.has(word));
}
