import { groupBy } from '../../lib/group-by.ts';
import { statedIds } from '../external-ids.ts';
import { isLanguage, type Language } from '../languages.ts';
import type { CatalogEntry, CatalogFormat, CatalogRecord, SourceSet } from '../record.ts';
import { listFiles, NoFileOfFormat } from './files.ts';
import { readJsonItems } from './json-items.ts';
import { finishesOf, isDigital, mtgFacts, mtgRarity, scryfallImages, scryfallKey, sharedKey } from './mtg.ts';
import { broken, dropped, otherFormat, recordEntry } from './source-files.ts';
import { cleanText, cleanTexts, isObject, type Json, neededTexts, objects, yearOf } from './text.ts';

/**
 * MTGJSON 5. A finish is a variation; a language in `foreignData` is one printing, the plain one, because the source
 * does not say which finishes it has. Two-part cards are two records: side a is the card.
 */
export const mtgjson: CatalogFormat = {
  name: 'mtgjson',
  game: 'mtg',
  about: 'MTGJSON 5: a folder of set files (NEO.json), or AllPrintings.json',
  async *read(paths) {
    let sets = 0;
    for (const file of await listFiles(paths, ['.json'])) {
      // A set file's `data` is the set; in AllPrintings its members are the sets.
      const whole: Json = {};
      const setsBefore = sets;
      let isDamaged = false;
      for await (const item of readJsonItems(file, ['data'])) {
        if ('problem' in item) {
          if (item.absent) continue;
          isDamaged = true;
          yield broken(item.problem, `${file} data, member ${item.position}`);
        } else if (isObject(item.value) && Array.isArray(item.value.cards)) {
          sets++;
          yield* readSet(item.value, `${file} data.${item.key}`);
        } else whole[item.key ?? ''] = item.value;
      }
      if (Array.isArray(whole.cards)) {
        sets++;
        yield* readSet(whole, `${file} data`);
      } else if (sets === setsBefore && !isDamaged) yield otherFormat(file);
    }
    if (sets === 0) throw new NoFileOfFormat(paths);
  },
};

function* readSet(source: Json, where: string): Generator<CatalogEntry> {
  const head = neededTexts(source, ['code', 'name']);
  if (typeof head === 'string') {
    yield broken(`a set ${head}`, where);
    return;
  }
  const set: SourceSet = { key: head.code, name: head.name, code: head.code, year: yearOf(source.releaseDate) };
  const cards = source.cards as unknown[];
  const inSet = {
    set,
    digital: source.isOnlineOnly === true,
    languages: languagesOfNames(cards),
    seen: frontsOf(cards),
    backs: backsOf(cards),
  };
  for (const [index, card] of cards.entries()) yield* readCard(card, inSet, `${where}.cards[${index}]`);
}

type InSet = {
  set: SourceSet;
  digital: boolean;
  languages: Map<string, number>;
  /** Number and name of every card with a side a; true once it was read. */
  seen: Map<string, boolean>;
  /** By number and name, the ids of the other sides: they name the same card. */
  backs: Map<string, unknown[]>;
};

function frontsOf(cards: readonly unknown[]): Map<string, boolean> {
  const fronts = objects(cards).filter((card) => card.side === 'a');
  return new Map(fronts.map((card) => [`${card.number} ${card.name}`, false]));
}

function backsOf(cards: readonly unknown[]): Map<string, unknown[]> {
  const backs = objects(cards).filter(({ side, layout }) => side !== undefined && side !== 'a' && layout !== 'meld');
  const byCard = groupBy(backs, (card) => `${card.number} ${card.name}`);
  return new Map([...byCard].map(([key, sides]) => [key, sides.map(({ uuid }) => uuid)]));
}

/** The number of foreign languages of the most translated printing of each name. */
function languagesOfNames(cards: readonly unknown[]): Map<string, number> {
  const most = new Map<string, number>();
  for (const card of objects(cards)) {
    const name = String(card.name);
    most.set(name, Math.max(most.get(name) ?? 0, objects(card.foreignData).length));
  }
  return most;
}

function* readCard(card: unknown, inSet: InSet, where: string): Generator<CatalogEntry> {
  const texts = neededTexts(card, ['uuid', 'name', 'number']);
  if (!isObject(card) || typeof texts === 'string') {
    yield broken(`a card ${String(texts)}`, where);
    return;
  }
  const side = `${card.number} ${card.name}`;
  // A meld result is the backs of two cards, with a name and number of its own.
  const isBack = card.side !== undefined && card.side !== 'a' && (inSet.seen.has(side) || card.layout === 'meld');
  if (inSet.digital || isDigital(card.isOnlineOnly, card.availability)) yield dropped('digital', where);
  else if (isBack) yield dropped('back_face', where);
  else if (inSet.seen.get(side)) yield dropped('same_printing', where);
  else {
    inSet.seen.set(side, true);
    yield* printings(card, texts, inSet, where);
  }
}

function* printings(
  card: Json,
  texts: { uuid: string; name: string; number: string },
  inSet: InSet,
  where: string,
): Generator<CatalogEntry> {
  const { name, number, uuid } = texts;
  const base = {
    game: 'mtg' as const,
    set: inSet.set,
    number,
    name,
    rarity: mtgRarity(card.rarity),
    year: yearOf(card.originalReleaseDate) ?? inSet.set.year,
    facts: mtgFacts(name, card.type, card.colorIdentity, card.artist),
  };
  const printing = (
    language: Language,
    printedName: string | null,
    { finish, variation }: { finish: string; variation: string | null },
    of: Json,
  ): CatalogEntry => {
    const scryfallId = scryfallIdOf(of);
    const ids: CatalogRecord['ids'] = [['mtgjson', `${uuid}/${finish}/${language}`]];
    if (scryfallId) ids.push(scryfallKey(scryfallId, finish, language));
    ids.push(sharedKey(inSet.set.key, number, name, language, variation));
    const images = scryfallId ? scryfallImages(scryfallId) : {};
    const differing = printedName === name ? null : printedName;
    const externalIds = externalIdsOf(of, finish, of === card ? inSet.backs.get(`${number} ${name}`) : []);
    return recordEntry({ ...base, ids, externalIds, printedName: differing, language, variation, ...images });
  };

  const finishes = finishesOf(cleanTexts(card.finishes));
  const foreign = objects(card.foreignData);
  const inEnglish = existsInEnglish(foreign, inSet.languages.get(String(card.name)) ?? 0);
  if (inEnglish) {
    const flavorName = cleanText(card.flavorName);
    for (const finish of finishes) yield printing('English', flavorName, finish, card);
  }
  const seen = new Set<Language>();
  for (const [index, translation] of foreign.entries()) {
    const language = languageOfName(translation.language);
    const at = `${where}.foreignData[${index}]`;
    const printedName = cleanText(translation.name);
    if (language === null) yield dropped('language', at);
    else if (seen.has(language)) yield dropped('same_printing', at);
    else if (!inEnglish) for (const finish of finishes) yield printing(language, printedName, finish, card);
    else yield printing(language, printedName, finishes[0]!, translation);
    if (language !== null) seen.add(language);
  }
}

/**
 * False for a printing that exists in one other language alone (the Japanese planeswalkers of WAR, Phyrexian cards).
 * The source has no field for it: its only foreign name is Phyrexian, or Japanese while another printing of the card
 * in the set has more.
 */
function existsInEnglish(foreign: readonly Json[], mostLanguages: number): boolean {
  if (foreign.length !== 1) return true;
  const { language } = foreign[0]!;
  return !(language === 'Phyrexian' || (language === 'Japanese' && mostLanguages > 1));
}

/** A translation has ids of its own, or none. In older files its number at Gatherer is next to its name. */
function externalIdsOf(source: Json, finish: string, backs: unknown[] = []) {
  const { identifiers, multiverseId } = source;
  const ids = isObject(identifiers) ? identifiers : {};
  return statedIds({
    mtgjson: [source.uuid, ...backs],
    scryfall: ids.scryfallId,
    tcgplayer: finish === 'etched' ? ids.tcgplayerEtchedProductId : ids.tcgplayerProductId,
    cardmarket: ids.mcmId,
    multiverse: ids.multiverseId ?? multiverseId,
  });
}

function scryfallIdOf(source: Json): string | null {
  const id = isObject(source.identifiers) ? cleanText(source.identifiers.scryfallId) : null;
  return id !== null && /^[0-9a-f-]{36}$/.test(id) ? id : null;
}

function languageOfName(name: unknown): Language | null {
  const text = name === 'Portuguese (Brazil)' ? 'Portuguese' : (cleanText(name) ?? '');
  return isLanguage(text) ? text : null;
}
