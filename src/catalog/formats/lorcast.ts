import { languageOfCode } from '../languages.ts';
import type { CatalogEntry, CatalogFormat } from '../record.ts';
import { lorcanaName, lorcanaRarity, lorcanaVariation, sharedLorcanaId } from './lorcana.ts';
import { broken, readRecords, recordEntry } from './source-files.ts';
import { cleanText, cleanTexts, imageAddress, isObject, type Json, yearOf } from './text.ts';

const SPACE = 'lorcast';

/** Lorcast: one record is one printing in one language; the plain one is that of the ordinary rarity. */
export const lorcast: CatalogFormat = {
  name: 'lorcast',
  game: 'lorcana',
  about: 'Lorcast card lists (JSON arrays of cards with crd_ ids, images, dates and TCGplayer numbers)',
  read: (paths) =>
    readRecords(paths, {
      aside: ['lorcast-sets.json'],
      know: () => null,
      isRecord: (value) => typeof value.collector_number === 'string' && isObject(value.set),
      entriesOf: cardEntry,
    }),
};

function cardEntry(card: Json, where: string): CatalogEntry {
  const id = cleanText(card.id);
  const name = lorcanaName(card.name, card.version);
  const number = cleanText(card.collector_number);
  const set = isObject(card.set) ? card.set : {};
  const [setCode, setName] = [cleanText(set.code), cleanText(set.name)];
  if (id === null || name === null || number === null || setCode === null || setName === null)
    return broken('a card without id, name, collector_number or set', where);
  const language = languageOfCode(cleanText(card.lang) ?? '');
  if (language === null) return broken(`unknown language ${JSON.stringify(card.lang)}`, where);
  const kinds = cleanTexts(card.type);
  const artist = cleanTexts(card.illustrators).join(' / ');
  const images = isObject(card.image_uris) && isObject(card.image_uris.digital) ? card.image_uris.digital : {};
  const rarity = lorcanaRarity(card.rarity);
  const year = yearOf(card.released_at);
  const tcgplayer = cleanText(card.tcgplayer_id);
  const ink = cleanText(card.ink);
  return recordEntry({
    game: 'lorcana',
    ids: [
      [SPACE, id],
      ...(tcgplayer === null ? [] : [['tcgplayer', tcgplayer] as [string, string]]),
      ...(/^\d+$/.test(setCode)
        ? [sharedLorcanaId({ number, under: '0', language: String(card.lang).toUpperCase(), set: setCode })]
        : []),
    ],
    set: { key: setCode, name: setName, code: setCode, year },
    number,
    name,
    language,
    variation: lorcanaVariation(rarity),
    rarity,
    year,
    imageUrl: imageAddress(images.large) ?? imageAddress(images.normal),
    imageUrlThumb: imageAddress(images.small),
    facts: {
      artist: artist || null,
      characters: kinds.includes('Character') ? [cleanText(card.name)!] : null,
      types: cleanTexts(card.classifications).map((type) => type.toLowerCase()),
      colors: (ink === null ? cleanTexts(card.inks) : [ink]).map((color) => color.toLowerCase()),
      cardKind: kinds[0],
    },
  });
}
