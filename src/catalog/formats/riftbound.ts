import type { CatalogEntry, CatalogFormat, SourceSet } from '../record.ts';
import { broken, objectsIn, readRecords, recordEntry } from './source-files.ts';
import {
  cleanText,
  cleanTexts,
  imageAddress,
  isObject,
  type Json,
  upperFirst,
  variationOfWords,
  yearOf,
} from './text.ts';

const SPACE = 'riftbound';

/**
 * riftboundstocks: printings of the sets (riftbound-cards.json) and promos (promo-cards.json). The plain printing has
 * no mark and a number within the printed total; promos are plain when their name carries no addition in brackets.
 */
export const riftbound: CatalogFormat = {
  name: 'riftbound',
  game: 'riftbound',
  about: 'riftboundstocks riftbound-cards.json and promo-cards.json (set names and dates from sets.json)',
  read: (paths) =>
    readRecords(paths, {
      companions: ['sets.json'],
      aside: ['price-sample.json'],
      know: ([lists]) => setsIn(objectsIn(lists!)),
      isRecord: (value) => isSetCard(value) || isPromo(value),
      entriesOf: (card, where, setOf) => (isPromo(card) ? promo(card, where, setOf) : setCard(card, where, setOf)),
    }),
};

type SetOf = (code: string, name: string | null) => SourceSet;

function setsIn(list: readonly Json[]): SetOf {
  const sets = new Map<string, SourceSet>();
  for (const set of list) {
    const code = cleanText(set.code);
    if (code !== null)
      sets.set(code, { key: code, name: cleanText(set.name) ?? code, code, year: yearOf(set.releasedOn) });
  }
  return (code, name) => sets.get(code) ?? { key: code, name: name ?? code, code, year: null };
}

function isSetCard(value: Json): boolean {
  return typeof value.set_id === 'string' && 'collector_number' in value;
}

function isPromo(value: Json): boolean {
  return typeof value.numberToken === 'string' && typeof value.setCode === 'string';
}

function setCard(card: Json, where: string, setOf: SetOf): CatalogEntry {
  const id = cleanText(card.id);
  const name = cleanText(card.name);
  const code = cleanText(card.set_id);
  const number = id === null ? null : printedNumber(id);
  if (id === null || name === null || code === null || number === null)
    return broken('a card without id, name or set_id, or with an id of another form', where);
  const thumbs = isObject(card.image_thumb) ? card.image_thumb : {};
  const set = setOf(code, null);
  return recordEntry({
    game: 'riftbound',
    ids: [[SPACE, id]],
    set,
    number,
    name,
    variation: setVariation(id),
    rarity: rarityWord(card.rarity),
    imageUrl: imageAddress(card.image),
    imageUrlThumb: imageAddress(thumbs.small),
    facts: { colors: cleanTexts(card.domains), cardKind: cleanText(card.type) },
  });
}

/** `039a` of ogn-039a-298, `299*` of ogn-299-star-298, `T03` of sfd-t03, `SP1` of ven-sp1-006. */
function printedNumber(id: string): string | null {
  const match = /^[a-z]+-([a-z]*\d+[a-z]?)(-star)?(?:-\d+)?$/.exec(id);
  if (match === null) return null;
  const token = /^\d/.test(match[1]!) ? match[1]! : match[1]!.toUpperCase();
  return `${token}${match[2] ? '*' : ''}`;
}

function setVariation(id: string): string | null {
  const match = /^[a-z]+-(\d+)(a|-star)?-(\d+)$/.exec(id);
  if (match === null) return null;
  if (match[2] === 'a') return 'Alternate Art';
  if (match[2] === '-star') return 'Signature';
  return Number(match[1]) > Number(match[3]) ? 'Overnumbered' : null;
}

function promo(card: Json, where: string, setOf: SetOf): CatalogEntry {
  const id = cleanText(card.id);
  const title = cleanText(card.name);
  const code = cleanText(card.setCode);
  const number = cleanText(card.numberToken);
  if (id === null || title === null || code === null || number === null)
    return broken('a promo without id, name, setCode or numberToken', where);
  const name = cleanText(title.replace(/\([^)]*\)/g, '')) ?? title;
  const additions = [...title.matchAll(/\(([^)]*)\)/g)].map((match) => match[1]!).filter((word) => word !== number);
  const product = cleanText(card.tcgProductId);
  const domain = cleanText(card.domain);
  const set = setOf(code, cleanText(card.setName));
  // A borrowed picture shows the ordinary printing, not this one.
  const ownArt = card.borrowedArt !== true;
  return recordEntry({
    game: 'riftbound',
    ids: [[SPACE, id], ...(product === null ? [] : [['tcgplayer', product] as [string, string]])],
    set,
    number,
    name,
    variation: variationOfWords(...additions),
    rarity: rarityWord(card.rarity),
    year: null,
    imageUrl: ownArt ? imageAddress(card.imageUrl) : null,
    imageUrlThumb: ownArt ? imageAddress(card.imageThumbUrl) : null,
    facts: { colors: domain === null ? null : [domain], cardKind: cleanText(card.type) },
  });
}

function rarityWord(value: unknown): string | null {
  const rarity = cleanText(value);
  return rarity && upperFirst(rarity);
}
