import type { CatalogEntry, CatalogFormat } from '../record.ts';
import {
  DIGIMON_RELEASES,
  type DigimonNumber,
  type DigimonSets,
  digimonCharacters,
  digimonKind,
  digimonNumber,
  digimonSets,
  digimonVariation,
  sharedDigimonId,
} from './digimon.ts';
import { broken, readRecords, recordEntry } from './source-files.ts';
import { cleanText, cleanTexts, imageAddress, isObject, type Json } from './text.ts';

const SPACE = 'apitcg-digimon';

/**
 * apitcg/digimon-tcg-data: one record is one printing, listed under the product that brought it. Ids repeat (20 of
 * 5,823); the image's name is the publisher's own id and distinguishes most of them. Same image: listed twice.
 */
export const apitcgDigimon: CatalogFormat = {
  name: 'apitcg-digimon',
  game: 'digimon',
  about: 'apitcg digimon-tcg-data card files (English, with parallels; set names from dtcg-web-releases.json)',
  read: (paths) =>
    readRecords(paths, {
      companions: [DIGIMON_RELEASES],
      know: ([releases]) => digimonSets(releases!),
      isRecord: (value) => typeof value.code === 'string' && isObject(value.images) && 'notes' in value,
      entriesOf: cardEntry,
    }),
};

function cardEntry(card: Json, where: string, sets: DigimonSets): CatalogEntry {
  const named = digimonNumber(card.id);
  const image = isObject(card.images) ? imageAddress(card.images.large) : null;
  const name = cleanText(card.name)?.replace(/\.$/, '').trim();
  if (named === null || name === undefined) return broken('a card without a card number or a name', where);
  const at = numberInImage(image, named) ?? named;
  const shared = sharedDigimonId(at, 'English');
  const kind = digimonKind(card.cardType);
  return recordEntry({
    game: 'digimon',
    ids: [[SPACE, shared[1]], shared],
    set: sets(at.set),
    number: at.number,
    name,
    variation: digimonVariation(at.parallel),
    // Parallels come years after their set, and their products here have no dates.
    year: at.parallel === 0 ? sets(at.set).year : null,
    imageUrl: image,
    facts: {
      ...digimonCharacters(kind, name),
      types: (cleanText(card.type) ?? '-').split('/').filter((type) => type !== '-' && type !== ''),
      colors: cleanTexts(card.colors),
      cardKind: kind,
    },
  });
}

/** The number and parallel in `…/BT1-084_P5.png`, when it is of the same card. */
function numberInImage(image: string | null, named: DigimonNumber): DigimonNumber | null {
  const at = digimonNumber(/\/([^/]+)\.\w+(?:\?.*)?$/.exec(image ?? '')?.[1]);
  return at?.number === named.number ? at : null;
}
