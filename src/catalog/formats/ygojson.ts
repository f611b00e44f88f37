import { groupBy } from '../../lib/group-by.ts';
import { type Language, languageOfCode } from '../languages.ts';
import type { CatalogEntry, CatalogFormat, SourceSet } from '../record.ts';
import { listFiles, UnreadableFile } from './files.ts';
import { readJsonItems } from './json-items.ts';
import { broken, dropped, otherFormat, readWhole, recordEntry } from './source-files.ts';
import { cleanText, cleanTexts, isObject, type Json, objects, yearOf } from './text.ts';
import { readYgoCards, readYgoYears, type YgoCard, ygoFileKind } from './ygo-cards.ts';
import { editionRank, editionWords, rarityRank, rarityWords } from './ygo-words.ts';

/**
 * YGOJSON. A printing has a record for each of its locales and editions; locales of one language with the same printed
 * number (Asian-English and North American LOB-001) are one. Of several printings of a number the plain one is that of
 * the lowest rarity, Unlimited before 1st Edition before Limited; the others are named by where they differ from it.
 */
export const ygojson: CatalogFormat = {
  name: 'ygojson',
  game: 'yugioh',
  about: 'YGOJSON: a folder with cards (cards.ndjson, cards.json or cards/) and sets; set-years.json is used if there',
  async *read(paths) {
    const files = await listFiles(paths, ['.json', '.ndjson']);
    const cards = new Map<string, YgoCard>();
    const years = new Map<string, number>();
    for (const file of files) {
      if (ygoFileKind(file) === 'cards') yield* readYgoCards(file, cards);
      else if (ygoFileKind(file) === 'years') yield* readYgoYears(file, years);
    }
    if (cards.size === 0) throw new UnreadableFile(`${paths.join(', ')}: no cards of this format`);
    for (const file of files.filter((path) => ygoFileKind(path) === 'sets')) {
      for await (const found of setsIn(file)) {
        if ('kind' in found) yield found;
        else yield* readSet(found.set, cards, years, found.where);
      }
    }
  },
};

async function* setsIn(file: string): AsyncGenerator<CatalogEntry | { set: Json; where: string }> {
  if (/(^|[\\/])sets\.json$/.test(file)) {
    for await (const item of readJsonItems(file)) {
      const where = `${file}[${item.position - 1}]`;
      if ('problem' in item) yield broken(item.problem, where);
      else if (isObject(item.value)) yield { set: item.value, where };
    }
    return;
  }
  const whole = await readWhole(file);
  if ('kind' in whole) yield whole;
  else if (isSet(whole.value)) yield { set: whole.value, where: file };
  else yield otherFormat(file);
}

function isSet(value: unknown): value is Json {
  return isObject(value) && isObject(value.locales) && Array.isArray(value.contents);
}

/** A printing in one locale and edition. */
type Row = {
  printingId: string;
  cardId: string;
  number: string | null;
  name: string;
  printedName: string | null;
  language: Language;
  rarity: string | null;
  edition: string | null;
  /** Which of several artworks or replicas of this number, by the source's own words; null for the only one. */
  art: string | null;
  replica: boolean;
  year: number | null;
  imageUrl: string | null;
  card: YgoCard;
  where: string;
};

function* readSet(
  source: Json,
  cards: ReadonlyMap<string, YgoCard>,
  years: ReadonlyMap<string, number>,
  where: string,
): Generator<CatalogEntry> {
  const key = cleanText(source.id);
  const name = nameOfSet(source);
  if (key === null || name === null) {
    yield broken(`a set without ${key === null ? 'id' : 'name'}`, where);
    return;
  }
  const year = yearOfSet(source, name, years);
  const rows: Row[] = [];
  for (const [at, content] of objects(source.contents).entries()) {
    const formats = cleanTexts(content.formats);
    const isDigital = formats.length > 0 && formats.every((format) => /^(duellinks|masterduel)$/.test(format));
    for (const row of rowsOf(content, source, cards, year, `${where} contents[${at}]`)) {
      if ('kind' in row) yield row;
      else if (isDigital) yield dropped('digital', row.where);
      else rows.push(row);
    }
  }
  const set: SourceSet = { key, name, code: codeOfSet(rows), year };
  const groups = groupBy(rows, (row) => `${row.number ?? ''}\n${row.name}\n${row.language}`);
  for (const group of groups.values()) yield* readGroup(group, set);
}

function* rowsOf(
  content: Json,
  source: Json,
  cards: ReadonlyMap<string, YgoCard>,
  setYear: number | null,
  where: string,
): Generator<Row | CatalogEntry> {
  const locales = isObject(source.locales) ? source.locales : {};
  const editions = cleanTexts(content.editions);
  for (const localeKey of cleanTexts(content.locales)) {
    const locale = locales[localeKey];
    const code = isObject(locale) ? cleanText(locale.language) : null;
    // `ae` is how the source writes the English of Asia.
    const textKey = code === 'ae' ? 'en' : code;
    for (const [index, printing] of (Array.isArray(content.cards) ? content.cards : []).entries()) {
      const at = `${where}.cards[${index}] ${localeKey}`;
      const printingId = isObject(printing) ? cleanText(printing.id) : null;
      const cardId = isObject(printing) ? cleanText(printing.card) : null;
      const card = cardId === null ? undefined : cards.get(cardId);
      const name = card?.names.get('en') ?? (textKey === null ? undefined : card?.names.get(textKey));
      const problem =
        !isObject(locale) || textKey === null
          ? `no locale ${localeKey} with a language in the set`
          : printingId === null || cardId === null
            ? 'a printing without id or card'
            : card === undefined
              ? `card ${cardId} is not in the list of cards`
              : name === undefined
                ? `card ${cardId} has no name`
                : null;
      if (problem !== null || card === undefined || !isObject(printing) || !isObject(locale)) {
        yield broken(problem ?? 'not a printing', at);
        continue;
      }
      const language = languageOfCode(textKey!);
      if (language === null) {
        yield dropped('language', at);
        continue;
      }
      for (const edition of editions.length > 0 ? editions : [null]) {
        yield {
          printingId: printingId!,
          cardId: cardId!,
          number: numberOf(locale, printing),
          name: name!,
          printedName: card.names.get(textKey!) ?? null,
          language,
          rarity: cleanText(printing.rarity),
          edition,
          art: cleanText(printing.imageID),
          replica: printing.replica === true,
          year: yearOf(locale.date) ?? setYear,
          imageUrl: imageOf(locale, edition, printingId!, cardId!),
          card,
          where: at,
        };
      }
    }
  }
}

/** The number as printed: the locale's prefix and the printing's suffix; null without one, or when still unknown. */
function numberOf(locale: Json, printing: Json): string | null {
  const suffix = cleanText(printing.suffix);
  const number = suffix === null ? null : `${cleanText(locale.prefix) ?? ''}${suffix}`;
  return number?.includes('?') ? null : number;
}

/** The picture of exactly this printing, edition and locale, if the source has one. */
function imageOf(locale: Json, edition: string | null, printingId: string, cardId: string): string | null {
  const images = isObject(locale.cardImages) ? locale.cardImages[edition ?? ''] : null;
  return isObject(images) ? (cleanText(images[printingId]) ?? cleanText(images[cardId])) : null;
}

/** All printings of one number, name and language of a set: the plain one first, each other with its variation. */
function* readGroup(rows: readonly Row[], set: SourceSet): Generator<CatalogEntry> {
  const arts = [...new Set(rows.map((row) => row.art))];
  const ordered = [...rows].sort(
    (a, b) =>
      Number(a.replica) - Number(b.replica) ||
      arts.indexOf(a.art) - arts.indexOf(b.art) ||
      rarityRank(a.rarity) - rarityRank(b.rarity) ||
      editionRank(a.edition) - editionRank(b.edition),
  );
  const plain = ordered[0]!;
  const seen = new Map<string | null, Row>();
  for (const row of ordered) {
    const art = arts.indexOf(row.art);
    const parts = [
      art === 0 ? null : `Alternate Art${art > 1 ? ` ${art}` : ''}`,
      row.rarity === plain.rarity || row.rarity === null ? null : rarityWords(row.rarity),
      row.edition === plain.edition || row.edition === null ? null : editionWords(row.edition),
      row.replica && !plain.replica ? 'Replica' : null,
    ].filter((part) => part !== null);
    const variation = parts.length === 0 ? null : parts.join(' ');
    const same = seen.get(variation);
    if (same) {
      const reason = same.cardId === row.cardId ? 'same_printing' : 'not_distinguished';
      yield dropped(reason, row.where);
      continue;
    }
    seen.set(variation, row);
    yield toRecord(row, variation, imageIn(ordered, row), set);
  }
}

/** The row's picture, or that of another locale's row for the same printing. */
function imageIn(rows: readonly Row[], row: Row): string | null {
  const same = (other: Row) => other.printingId === row.printingId && other.edition === row.edition;
  return row.imageUrl ?? rows.find((other) => other.imageUrl !== null && same(other))?.imageUrl ?? null;
}

function toRecord(row: Row, variation: string | null, image: string | null, set: SourceSet): CatalogEntry {
  // The card's own picture shows the English card: better than none there, wrong for another language.
  const ofCard = image === null && row.language === 'English' ? row.card.imageUrl : null;
  return recordEntry({
    game: 'yugioh',
    ids: [['ygojson', [row.printingId, row.number ?? '', row.language, row.edition ?? ''].join('/')]],
    externalIds: row.card.externalIds,
    set,
    number: row.number,
    name: row.name,
    printedName: row.printedName === row.name ? null : row.printedName,
    language: row.language,
    variation,
    rarity: row.rarity === null ? null : rarityWords(row.rarity),
    year: row.year,
    imageUrl: image ?? ofCard,
    imageUrlThumb: ofCard?.includes('/images/cards/') ? ofCard.replace('/images/cards/', '/images/cards_small/') : null,
    facts: row.card.facts,
  });
}

function nameOfSet(source: Json): string | null {
  const names = isObject(source.name) ? source.name : {};
  return (
    cleanText(names.en) ??
    Object.values(names)
      .map(cleanText)
      .find((name) => name !== null) ??
    null
  );
}

/**
 * Year of a set: its date, that of an English locale, the list of years, else the earliest locale's. The list is searched
 * by the name of the set's wiki page, which distinguishes sets of one name.
 */
function yearOfSet(source: Json, name: string, years: ReadonlyMap<string, number>): number | null {
  const locales = isObject(source.locales) ? Object.values(source.locales).filter(isObject) : [];
  const yearsIn = (list: readonly Json[]) => list.map((locale) => yearOf(locale.date)).filter((year) => year !== null);
  const earliest = (list: readonly number[]) => (list.length > 0 ? Math.min(...list) : null);
  const external = isObject(source.externalIDs) ? source.externalIDs : {};
  const page = isObject(external.yugipedia) ? cleanText(external.yugipedia.name) : null;
  return (
    yearOf(source.date) ??
    earliest(yearsIn(locales.filter((locale) => locale.language === 'en'))) ??
    years.get(page ?? name) ??
    earliest(yearsIn(locales))
  );
}

/** The code before the locale in most of the set's English numbers (`LOB` of LOB-EN001), else in most of all. */
function codeOfSet(rows: readonly Row[]): string | null {
  const english = rows.filter((row) => row.language === 'English');
  const counts = new Map<string, number>();
  for (const row of english.length > 0 ? english : rows) {
    const code = /^([A-Z0-9]{2,5})-/.exec(row.number ?? '')?.[1];
    if (code !== undefined) counts.set(code, (counts.get(code) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? null;
}
