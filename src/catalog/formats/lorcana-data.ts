import { existsSync } from 'node:fs';
import { statedIds } from '../external-ids.ts';
import { languageOfCode } from '../languages.ts';
import type { CatalogEntry, CatalogFormat } from '../record.ts';
import {
  LORCANA_COMPANIONS,
  type LorcanaSets,
  lorcanaName,
  lorcanaRarity,
  lorcanaSets,
  lorcanaVariation,
  mainSetNumber,
  printedIdentifier,
  setKeyOf,
  sharedLorcanaId,
} from './lorcana.ts';
import { broken, dropped, readRecords, recordEntry } from './source-files.ts';
import { cleanText, cleanTexts, imageAddress, isObject, type Json } from './text.ts';

const SPACE = 'lorcana-data';
const PRINTED_LANGUAGES = ['en', 'fr', 'de', 'it', 'zh', 'ja'];
const KINDS: Record<string, string> = { glimmer: 'Character', action: 'Action', item: 'Item', location: 'Location' };
/** The source's published image rule and the sets and languages that it names (configuration.yml). */
const IMAGE_SETS = ['p1', 'p2', 'c1', 'worlds', 'd23', 'rotf', 'tfc', 'iti', 'urr', 'ssk', 'arc'];
const IMAGE_LANGUAGES = ['de', 'en', 'fr', 'zh', 'ja'];

/**
 * lorcana-data: one record is one card; its variants are printings, each in the languages whose printed identifier is
 * given. Of a card in a set the ordinary rarity is plain; Enchanted, Epic and Iconic are variations.
 */
export const lorcanaData: CatalogFormat = {
  name: 'lorcana-data',
  game: 'lorcana',
  about: 'lorcana-data card files (.yml or .json; set codes from ravensburger-sets.json, years from lorcast-sets.json)',
  read: (paths) =>
    readRecords(paths, {
      extensions: ['.json', '.yml', '.yaml'],
      companions: LORCANA_COMPANIONS,
      aside: ['classifications.yml', 'franchises.yml'],
      know: lorcanaSets,
      isRecord: (value) => Array.isArray(value.variants) && isObject(value.languages),
      entriesOf: (card, where, sets, path) =>
        // The same cards in both notations would only be listed twice.
        /\.ya?ml$/.test(path) && existsSync(path.replace(/\.ya?ml$/, '.json'))
          ? dropped('also_json', where)
          : cardEntries(card, where, sets),
    }),
};

function* cardEntries(card: Json, where: string, sets: LorcanaSets): Generator<CatalogEntry> {
  const languages = isObject(card.languages) ? card.languages : {};
  const english = isObject(languages.en) ? lorcanaName(languages.en.name, languages.en.title) : null;
  if (english === null || !Array.isArray(card.variants)) {
    yield broken('a card without English name or variants', where);
    return;
  }
  for (const [index, variant] of card.variants.entries()) {
    const place = `${where}.variants[${index}]`;
    const set = isObject(variant) ? cleanText(variant.set) : null;
    const id = isObject(variant) ? cleanText(variant.id) : null;
    if (!isObject(variant) || set === null || id === null) yield broken('a variant without set or id', place);
    else if (variant.rarity === 'unreleased') yield dropped('unreleased', place);
    else {
      const printed = isObject(variant.ravensburger) ? variant.ravensburger : {};
      const codes = PRINTED_LANGUAGES.filter((code) => cleanText(printed[code]) !== null);
      // A few event cards have no identifier at all; their name is English.
      for (const code of codes.length > 0 ? codes : ['en'])
        yield printing({ card, languages, english, variant, set, id, sets }, printed, code);
    }
  }
}

type LorcanaVariant = {
  card: Json;
  languages: Json;
  english: string;
  variant: Json;
  set: string;
  id: string;
  sets: LorcanaSets;
};

function printing(
  { card, languages, english, variant, set, id, sets }: LorcanaVariant,
  printed: Json,
  code: string,
): CatalogEntry {
  const language = languageOfCode(code)!;
  const suffix = cleanText(variant.suffix) ?? '';
  const place = placeOf(set, `${id}${suffix}`, printed);
  const identifier = printedIdentifier(printed[code]);
  // Some identifiers were copied from another printing or language: only one that agrees with its place joins sources.
  const agrees =
    identifier !== null &&
    identifier.language === code.toUpperCase() &&
    identifier.number.toLowerCase() === place.number.toLowerCase() &&
    setKeyOf(identifier) === place.set;
  const local = isObject(languages[code]) ? lorcanaName(languages[code].name, languages[code].title) : null;
  const rarity = lorcanaRarity(variant.rarity);
  const kind = KINDS[cleanText(card.type) ?? ''];
  const character = isObject(languages.en) ? cleanText(languages.en.name) : null;
  return recordEntry({
    game: 'lorcana',
    ids: [
      [SPACE, `${set}/${id}${suffix}/${cleanText(variant.dreamborn) ?? ''}/${language}`],
      ...(agrees ? [sharedLorcanaId(identifier)] : []),
    ],
    externalIds: statedIds({ dreamborn: variant.dreamborn }),
    set: sets(place.set),
    number: place.number,
    name: english,
    printedName: local === english ? null : local,
    language,
    variation: lorcanaVariation(rarity),
    rarity,
    // The dates are those of the western release; the Asian editions came years later.
    year: code === 'ja' || code === 'zh' ? null : sets(place.set).year,
    imageUrl:
      IMAGE_SETS.includes(set) && IMAGE_LANGUAGES.includes(code)
        ? imageAddress(`https://lorcana.codlab.eu/images/${set}/${code}/${id}${suffix}.webp`)
        : null,
    facts: {
      artist: cleanText(variant.illustrator),
      characters: kind === 'Character' && character !== null ? [character] : null,
      types: cleanTexts(card.classifications),
      colors: cleanTexts(card.colors),
      cardKind: kind,
    },
  });
}

/** Where a variant belongs: a promo identifier inside a main set's file (`43/P2 EN 3` listed in set iti) outranks the file. */
function placeOf(set: string, number: string, printed: Json): { set: string; number: string } {
  const english = printedIdentifier(printed.en);
  if (english === null || mainSetNumber(set) === null || /^\d+$/.test(english.under)) return { set, number };
  return { set: setKeyOf(english)!, number: english.number };
}
