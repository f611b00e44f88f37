import type { CatalogEntry, CatalogFormat } from '../record.ts';
import { aegisName } from './aegis.ts';
import {
  DIGIMON_RELEASES,
  type DigimonSets,
  digimonCharacters,
  digimonNumber,
  digimonSets,
  digimonVariation,
  sharedDigimonId,
} from './digimon.ts';
import { broken, dropped, objectsIn, readRecords, recordEntry } from './source-files.ts';
import { cleanText, imageAddress, type Json } from './text.ts';

const SPACE = 'digimon-ja';
const COLORS: Record<string, string> = {
  赤: 'Red',
  青: 'Blue',
  黄: 'Yellow',
  緑: 'Green',
  黒: 'Black',
  紫: 'Purple',
  白: 'White',
};
const KINDS: Record<string, string> = {
  デジモン: 'Digimon',
  デジタマ: 'Digi-Egg',
  テイマー: 'Tamer',
  オプション: 'Option',
};

/**
 * The Japanese card list, one file a pack. Its rows without a card type repeat numbers of other cards and describe no
 * card. English names come by number from an aegis-cards.json in the same folder; else the printed name is the name.
 */
export const digimonJa: CatalogFormat = {
  name: 'digimon-ja',
  game: 'digimon',
  about: 'Japanese Digimon packs (card_no, card_name; English names from aegis-cards.json next to them)',
  read: (paths) =>
    readRecords(paths, {
      companions: [DIGIMON_RELEASES, 'aegis-cards.json'],
      aside: ['packs.json'],
      know: ([releases, aegisCards]) => {
        const english = new Map<string, string>();
        for (const card of objectsIn(aegisCards!)) {
          const [at, name] = [digimonNumber(card.cardId), aegisName(card)];
          if (at !== null && name !== null) english.set(at.number, name);
        }
        return { sets: digimonSets(releases!), english };
      },
      isRecord: (value) => typeof value.card_no === 'string' && 'pack_id' in value,
      entriesOf: cardEntry,
    }),
};

type Known = { sets: DigimonSets; english: Map<string, string> };

function cardEntry(card: Json, where: string, { sets, english }: Known): CatalogEntry {
  const at = digimonNumber(card.card_no);
  const glued = cleanText(card.card_name);
  if (at === null || glued === null) return broken('a card without card_no or card_name', where);
  const printed = cleanText(glued.slice(glued.toUpperCase().startsWith(at.number) ? at.number.length : 0));
  if (printed === null || cleanText(card.card_type) === null) return dropped('no_details', where);
  const shared = sharedDigimonId(at, 'Japanese');
  const name = english.get(at.number) ?? printed;
  const kind = KINDS[cleanText(card.card_type)!];
  const color = COLORS[cleanText(card.color) ?? ''];
  const image = imageAddress(card.image_url);
  return recordEntry({
    game: 'digimon',
    ids: [[SPACE, shared[1]], shared],
    set: sets(at.set),
    number: at.number,
    name,
    printedName: name === printed ? null : printed,
    language: 'Japanese',
    variation: digimonVariation(at.parallel),
    rarity: cleanText(card.rarity),
    year: null,
    imageUrl: image?.endsWith('/noimage.png') ? null : image,
    facts: {
      ...(english.has(at.number) ? digimonCharacters(kind, name) : {}),
      colors: color ? [color] : null,
      cardKind: kind,
    },
  });
}
