import type { Language } from '../languages.ts';
import type { CatalogEntry, CatalogFormat } from '../record.ts';
import {
  DIGIMON_RELEASES,
  type DigimonSets,
  digimonCharacters,
  digimonKind,
  digimonNumber,
  digimonSets,
  sharedDigimonId,
} from './digimon.ts';
import { broken, readRecords, recordEntry } from './source-files.ts';
import { cleanText, cleanTexts, type Json } from './text.ts';

const SPACE = 'aegis';

/**
 * aegis-digimon-tcg: one record a number, with its rarity; it gives the plain printing in English and, where the
 * Japanese name is given, in Japanese.
 */
export const aegis: CatalogFormat = {
  name: 'aegis',
  game: 'digimon',
  about: 'aegis-digimon-tcg cards.json (Digimon; set names and years from dtcg-web-releases.json)',
  read: (paths) =>
    readRecords(paths, {
      companions: [DIGIMON_RELEASES],
      know: ([releases]) => digimonSets(releases!),
      isRecord: (value) => typeof value.cardId === 'string' && Array.isArray(value.kinds),
      entriesOf: cardEntries,
    }),
};

function* cardEntries(card: Json, where: string, sets: DigimonSets): Generator<CatalogEntry> {
  const at = digimonNumber(card.cardId);
  const plainName = aegisName(card);
  if (at === null || plainName === null) {
    yield broken('a card without a card number or an English name', where);
    return;
  }
  const japanese = cleanText(card.nameJp);
  const kind = digimonKind(cleanTexts(card.kinds)[0]);
  const rarity = cleanText(card.rarity);
  const set = sets(at.set);
  const printing = (language: Language, printedName: string | null): CatalogEntry =>
    recordEntry({
      game: 'digimon',
      ids: [[SPACE, `${at.number}/${language}`], sharedDigimonId(at, language)],
      set,
      number: at.number,
      name: plainName,
      printedName,
      language,
      rarity: rarity === '-' ? null : rarity,
      // The dates are those of the English products.
      year: language === 'English' ? set.year : null,
      facts: {
        ...digimonCharacters(kind, plainName),
        types: cleanTexts(card.types),
        colors: cleanTexts(card.colors),
        cardKind: kind,
      },
    });
  yield printing('English', null);
  if (japanese !== null) yield printing('Japanese', japanese === plainName ? null : japanese);
}

/** The English name, with the `ACE` that other lists print as part of it. Null when there is none. */
export function aegisName(card: Json): string | null {
  const name = cleanText(card.nameEn)?.replace(/x([89A-F][\dA-F])(?=\p{Ll})/gu, (_, hex) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  if (name === undefined) return null;
  return card.isAce === true && !/ ACE$/.test(name) ? `${name} ACE` : name;
}
