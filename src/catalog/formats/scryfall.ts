import { statedIds } from '../external-ids.ts';
import { languageOfCode } from '../languages.ts';
import type { CatalogEntry, CatalogFormat, CatalogRecord, SourceSet } from '../record.ts';
import { listFiles, NoFileOfFormat, startsWithList } from './files.ts';
import { readJsonItems } from './json-items.ts';
import { finishesOf, isDigital, mtgFacts, mtgRarity, plainPrinting, scryfallKey, sharedKey } from './mtg.ts';
import { broken, dropped, otherFormat, readWhole, recordEntry } from './source-files.ts';
import { cleanText, cleanTexts, isObject, type Json, neededTexts, objects, yearOf } from './text.ts';

/**
 * Scryfall's cards, in its bulk files (a printing in one language an object, its finishes a list) or in compact set
 * files, which list the cards of boosters by rarity, do not state finishes, and so give the plain printing of each.
 */
export const scryfall: CatalogFormat = {
  name: 'scryfall',
  game: 'mtg',
  about: "Scryfall's bulk card files (default-cards, all-cards), or compact set files with cards listed by rarity",
  async *read(paths) {
    let readable = 0;
    for (const file of await listFiles(paths, ['.json'])) {
      for await (const entry of (await startsWithList(file)) ? readBulk(file) : readObject(file)) {
        if (entry.kind === 'record') readable++;
        yield entry;
      }
    }
    if (readable === 0) throw new NoFileOfFormat(paths);
  },
};

/** A bulk file has all cards of the game: it is never whole in memory. Its first object identifies the list. */
async function* readBulk(file: string): AsyncGenerator<CatalogEntry> {
  let isOwn = false;
  for await (const item of readJsonItems(file)) {
    const where = `${file}[${item.position - 1}]`;
    if ('problem' in item) {
      yield broken(item.problem, where);
      continue;
    }
    if (!isOwn && isObject(item.value)) {
      if (!isCard(item.value) && !isSet(item.value)) {
        yield otherFormat(file);
        return;
      }
      isOwn = true;
    }
    yield* readCard(item.value, where);
  }
}

/** A page of the API, with its cards under `data`, or a compact set. */
async function* readObject(path: string): AsyncGenerator<CatalogEntry> {
  const file = await readWhole(path);
  if ('kind' in file) {
    yield file;
    return;
  }
  const source = isObject(file.value) ? file.value : {};
  const head = neededTexts(source, ['code', 'name']);
  if (objects(source.data).some(isCard))
    for (const [index, card] of (source.data as unknown[]).entries()) yield* readCard(card, `${path} data[${index}]`);
  else if (typeof head !== 'string' && Object.values(source).some((list) => objects(list).some(isCard)))
    yield* readCompactSet(source, head, path);
  else yield otherFormat(path);
}

function isCard(value: Json): boolean {
  return value.collector_number !== undefined;
}

function isSet(value: Json): boolean {
  return value.collector_number === undefined && typeof value.set_type === 'string';
}

/** One of Scryfall's card objects: one printing in one language, with a record for each finish. */
function* readCard(card: unknown, where: string): Generator<CatalogEntry> {
  if (isObject(card) && isSet(card)) {
    yield dropped('set_index', where);
    return;
  }
  const texts = neededTexts(card, ['id', 'name', 'lang', 'set', 'set_name', 'collector_number']);
  if (!isObject(card) || typeof texts === 'string') {
    yield broken(`a card ${String(texts)}`, where);
    return;
  }
  const language = languageOfCode(texts.lang);
  const reason = isDigital(card.digital, card.games)
    ? 'digital'
    : language === null
      ? 'language'
      : isMeldResult(card)
        ? 'back_face'
        : null;
  if (reason !== null || language === null) {
    yield dropped(reason ?? 'language', where);
    return;
  }
  const { id, name, collector_number: number } = texts;
  const faces = objects(card.card_faces);
  const images = [card, ...faces].map((face) => face.image_uris).find(isObject);
  const code = texts.set.toLowerCase();
  const year = yearOf(card.released_at);
  const printedName = printedNameOf(card, faces);
  const base = {
    game: 'mtg' as const,
    set: { key: code, name: texts.set_name, code: code.toUpperCase(), year },
    number,
    name,
    printedName: printedName === name ? null : printedName,
    language,
    rarity: mtgRarity(card.rarity),
    year,
    imageUrl: cleanText(images?.normal),
    imageUrlThumb: cleanText(images?.small),
    facts: mtgFacts(name, card.type_line ?? faces[0]?.type_line, card.color_identity, card.artist ?? faces[0]?.artist),
  };
  for (const { finish, variation } of finishesOf(cleanTexts(card.finishes))) {
    const ids: CatalogRecord['ids'] = [
      scryfallKey(id, finish, language),
      sharedKey(code, number, name, language, variation),
    ];
    const externalIds = statedIds({
      scryfall: id,
      tcgplayer: finish === 'etched' ? card.tcgplayer_etched_id : card.tcgplayer_id,
      cardmarket: card.cardmarket_id,
      multiverse: card.multiverse_ids,
    });
    yield recordEntry({ ...base, ids, externalIds, variation });
  }
}

/** A meld result is the backs of two cards. */
function isMeldResult(card: Json): boolean {
  return objects(card.all_parts).some((part) => part.id === card.id && part.component === 'meld_result');
}

/** The name that is printed on the card: a flavour name (Godzilla, Dracula) or the translation, of all its faces. */
function printedNameOf(card: Json, faces: readonly Json[]): string | null {
  const printed = (face: Json) => cleanText(face.flavor_name) ?? cleanText(face.printed_name);
  const own = printed(card);
  if (own !== null || !faces.some((face) => printed(face) !== null)) return own;
  return cleanText(faces.map((face) => printed(face) ?? cleanText(face.name)).join(' // '));
}

function* readCompactSet(source: Json, head: { code: string; name: string }, file: string): Generator<CatalogEntry> {
  const code = head.code.toUpperCase();
  const set: SourceSet = { key: code.toLowerCase(), name: head.name, code, year: yearOf(source.released_at) };
  const seen = new Set<string>();
  for (const [list, cards] of Object.entries(source)) {
    if (!Array.isArray(cards)) continue;
    for (const [index, card] of cards.entries()) {
      const where = `${file} ${list}[${index}]`;
      const entry = compactRecord(card, set, where);
      const repeated = entry.kind === 'record' && seen.has(entry.record.number!);
      if (entry.kind === 'record') seen.add(entry.record.number!);
      yield repeated ? dropped('same_printing', where) : entry;
    }
  }
}

function compactRecord(card: unknown, set: SourceSet, where: string): CatalogEntry {
  const texts = neededTexts(card, ['name', 'collector_number', 'image_uri']);
  if (!isObject(card) || typeof texts === 'string') return broken(`a card ${String(texts)}`, where);
  const { name, collector_number: number, image_uri: imageUrl } = texts;
  const id = /\/([0-9a-f-]{36})\.\w+(?:$|\?)/.exec(imageUrl)?.[1];
  if (id === undefined) return broken('a card without a Scryfall id in its image address', where);
  return plainPrinting(
    [scryfallKey(id, 'nonfoil', 'English')],
    { set, number, name },
    {
      externalIds: [['scryfall', id]],
      rarity: mtgRarity(card.rarity),
      imageUrl,
      imageUrlThumb: imageUrl.replace('/normal/', '/small/'),
      facts: mtgFacts(name, card.type_line, undefined, undefined),
    },
  );
}
