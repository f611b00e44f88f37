import { languageOfCode } from '../languages.ts';
import type { CatalogEntry, CatalogFormat } from '../record.ts';
import {
  LORCANA_COMPANIONS,
  type LorcanaSets,
  lorcanaName,
  lorcanaSets,
  printedIdentifier,
  setKeyOf,
  sharedLorcanaId,
} from './lorcana.ts';
import { broken, readRecords, recordEntry } from './source-files.ts';
import { cleanText, imageAddress, type Json, objects } from './text.ts';

const SPACE = 'lorcana-catalog';

/**
 * The publisher's own lists in one language (ja, zh, …) as lorcana-data keeps them. Their rarity is the same word on
 * every card and says nothing. Numbers are unique within a set, so that every printing is its card's plain one.
 */
export const lorcanaCatalog: CatalogFormat = {
  name: 'lorcana-catalog',
  game: 'lorcana',
  about: "lorcana-data's publisher catalogs (ja.json, zh.json): printed names and images by printed identifier",
  read: (paths) =>
    readRecords(paths, {
      companions: LORCANA_COMPANIONS,
      know: lorcanaSets,
      isRecord: (value) => typeof value.card_identifier === 'string',
      entriesOf: cardEntry,
    }),
};

function cardEntry(card: Json, where: string, sets: LorcanaSets): CatalogEntry {
  const identifier = printedIdentifier(card.card_identifier);
  const name = lorcanaName(card.name, card.subtitle);
  const language = languageOfCode(identifier?.language ?? '');
  const setKey = identifier === null ? null : setKeyOf(identifier);
  if (identifier === null || language === null || setKey === null || name === null)
    return broken('a card without a name or a known printed identifier', where);
  const id = cleanText(card.card_identifier)!;
  return recordEntry({
    game: 'lorcana',
    ids: [[SPACE, id], sharedLorcanaId(identifier)],
    set: sets(setKey),
    number: identifier.number,
    name,
    language,
    year: null,
    imageUrl: imageAddress(objects(card.image_urls)[0]?.url),
    facts: { artist: cleanText(card.author) },
  });
}
