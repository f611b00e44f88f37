import type { Language } from '../languages.ts';
import type { SourceSet } from '../record.ts';
import { objectsIn, type SourceFile } from './source-files.ts';
import { cleanText, yearOf } from './text.ts';

/** dtcg-web's list of products, which names and dates the sets for every source. */
export const DIGIMON_RELEASES = 'dtcg-web-releases.json';

/** A card number without its parallel: set `BT2`, number `BT2-001`, parallel 1 of `bt2-001-p1` and `BT2-001_P1`. */
export type DigimonNumber = { set: string; number: string; parallel: number };

/** Parts of a card number whatever its case, or null when it has another form. */
export function digimonNumber(value: unknown): DigimonNumber | null {
  const match = /^([A-Z]+\d*)-(\d+|TOKEN)(?:[-_]P(\d+))?$/i.exec(cleanText(value) ?? '');
  if (match === null) return null;
  const set = match[1]!.toUpperCase();
  return { set, number: `${set}-${match[2]!.toUpperCase()}`, parallel: Number(match[3] ?? 0) };
}

/** The id space in which every Digimon source meets. */
export function sharedDigimonId({ number, parallel }: DigimonNumber, language: Language): [space: string, id: string] {
  return ['digimon-number', `${number}${parallel === 0 ? '' : `-p${parallel}`}/${language}`];
}

/** The printing without a parallel mark is plain; the others are counted as the publisher counts them. */
export function digimonVariation(parallel: number): string | null {
  return parallel === 0 ? null : `Parallel ${parallel}`;
}

/** The set behind the letters and digits before a number's hyphen: the one thing on which all sources agree. */
export type DigimonSets = (key: string) => SourceSet;

/**
 * Sets by key, named and dated by dtcg-web's list of products (`BT4`, or `[BT01-03]` at the end of a name); what it
 * does not have is called by its code.
 */
export function digimonSets(releases: readonly SourceFile[]): DigimonSets {
  const found = new Map<string, SourceSet>([['P', { key: 'P', name: 'Promotion Cards', code: 'P', year: null }]]);
  for (const product of objectsIn(releases)) {
    const title = cleanText(product.name);
    if (title === null) continue;
    const name = title
      .replace(/\s*\[[^\]]*\]$/, '')
      .replace(/^Booster /, '')
      .replace(/ Ver\.[\d.]+$/, '');
    const year = yearOf(product.release);
    for (const key of productSets(cleanText(product.id), title))
      if (!found.has(key)) found.set(key, { key, name, code: key, year });
  }
  return (key) => found.get(key) ?? { key, name: key, code: key, year: null };
}

function productSets(id: string | null, title: string): string[] {
  if (id !== null) return [id.toUpperCase()];
  const range = /^Release Special Booster .*\[([A-Z]+)0(\d)-0(\d)\]$/.exec(title);
  if (range === null) return [];
  const [from, to] = [Number(range[2]), Number(range[3])];
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, step) => `${range[1]}${from + step}`);
}

/** `DigiEgg`, `Digi-Egg `, `Opiton` (sic) as one word each. */
export function digimonKind(value: unknown): string | undefined {
  const kind = cleanText(value)
    ?.toLowerCase()
    .replace(/[^a-z]/g, '');
  return { digimon: 'Digimon', option: 'Option', opiton: 'Option', tamer: 'Tamer', digiegg: 'Digi-Egg' }[kind ?? ''];
}

/** Whose card it is: a Digimon's or a Tamer's name; an Option has none. */
export function digimonCharacters(kind: string | undefined, name: string): { characters?: string[] } {
  return kind === undefined || kind === 'Option' ? {} : { characters: [name.replace(/ ACE$/, '')] };
}
