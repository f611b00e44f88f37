import { languageOfCode } from '../languages.ts';
import type { CatalogEntry, CatalogFormat } from '../record.ts';
import { type LorcanaSets, lorcanaName, lorcanaSets, printedIdentifier, setKeyOf, sharedLorcanaId } from './lorcana.ts';
import { broken, imageAddress, readCompanion, readRecordFiles } from './record-files.ts';
import { cleanText, type Json, objects } from './text.ts';

const SPACE = 'lorcana-catalog';

/**
 * The publisher's own lists in one language (ja, zh, …) as lorcana-data keeps them. Their rarity is the same word on
 * every card and says nothing. Numbers are unique within a set, so that every printing is its card's plain one.
 */
export const lorcanaCatalog: CatalogFormat = {
  name: 'lorcana-catalog',
  game: 'lorcana',
  about: "lorcana-data's publisher catalogues (ja.json, zh.json): printed names and images by printed identifier",
  async *read(paths) {
    const problems: CatalogEntry[] = [];
    const sets = lorcanaSets(
      await readCompanion(paths, 'ravensburger-sets.json', problems),
      await readCompanion(paths, 'lorcast-sets.json', problems),
    );
    yield* problems;
    const told = new Set<string>();
    yield* readRecordFiles(paths, {
      isRecord: (value) => typeof value.card_identifier === 'string',
      entriesOf: (card, where) => cardEntry(card, where, sets, told),
    });
  },
};

function* cardEntry(card: Json, where: string, sets: LorcanaSets, told: Set<string>): Generator<CatalogEntry> {
  const identifier = printedIdentifier(card.card_identifier);
  const name = lorcanaName(card.name, card.subtitle);
  const language = languageOfCode(identifier?.language ?? '');
  const setKey = identifier === null ? null : setKeyOf(identifier);
  if (identifier === null || language === null || setKey === null || name === null) {
    yield broken('a card without a name or a known printed identifier', where);
    return;
  }
  const id = cleanText(card.card_identifier)!;
  if (told.has(id)) {
    yield { kind: 'dropped', reason: 'repeat', where };
    return;
  }
  told.add(id);
  const artist = cleanText(card.author);
  yield {
    kind: 'record',
    record: {
      game: 'lorcana',
      ids: [[SPACE, id], sharedLorcanaId(identifier)],
      set: sets(setKey),
      number: identifier.number,
      name,
      printedName: null,
      language,
      variation: null,
      rarity: null,
      year: null,
      imageUrl: imageAddress(objects(card.image_urls)[0]?.url),
      imageUrlThumb: null,
      facts: artist === null ? {} : { artist },
    },
  };
}
