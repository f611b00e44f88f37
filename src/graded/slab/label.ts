import { readTitle, type TitleReading } from '../../sales/match/read-title.ts';

/**
 * What slab labels write in their own way, and how listings say it. A label has a grammar (year, set, number, name,
 * variety), so rules are safe here that would be guesses in a title.
 */
const RULES: readonly [words: RegExp, plain: string][] = [
  // Roman numbers as readers of print see them. Digits alone are one only behind a word that numbers sets.
  [/(?<![#'’\w])(?=[Il1|]*[Il|])[Il1|]{2}(?![\w/])/g, 'II'],
  [/(?<![#'’\w])(?=[Il1|]*[Il|])[Il1|]{3}(?![\w/])/g, 'III'],
  [/\b(base|base set|series|vol(?:ume)?\.?|part) 11(?![\w/])/gi, '$1 II'],
  [/&amp;/gi, '&'],
  // "1999 POKEMON GAME" is the Base Set; "GAME BASE II" is found by its own name.
  [/\bpokemon game\b(?! base)/gi, 'pokemon base set'],
  [/\bgame pokemon\b/gi, 'base set pokemon'],
  // The last printing of the Base Set has both years in its copyright line.
  [/\b1999-2000\b/g, '1999 copyright'],
  [/(?<!team )\brocket pokemon\b|\bpokemon rocket\b(?!')/gi, 'pokemon team rocket'],
  // What a Pokémon Center sold, or gave, of a set's card or an English promo has its stamp.
  [/^(?!.*\b(?:japanese|chinese|korean)\b)(.*)\bcenter\b(.*?)(?:\bpre-order promo\b|$)/gis, '$1center stamp$2'],
];

/** Promos count from 1 in each era: on their cards, and in catalogs, the number opens with it. */
const PROMO_ERA = /\b(swsh|sm|xy|bw|dp|hgss) black star promo/i;

/** Reads the words of a slab's label as a title is read. */
export function readLabel(label: string): TitleReading {
  let text = RULES.reduce((read, [words, plain]) => read.replace(words, plain), label);
  const era = PROMO_ERA.exec(text)?.[1];
  if (era !== undefined) text = text.replace(/#(?=\d)/, `#${era}`);
  return { ...readTitle(text), title: label };
}
