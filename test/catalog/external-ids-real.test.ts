import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mtgjson } from '../../src/catalog/formats/mtgjson.ts';
import { scryfall } from '../../src/catalog/formats/scryfall.ts';
import { importCatalog } from '../../src/catalog/import-catalog.ts';
import { groupBy } from '../../src/lib/group-by.ts';
import { openResolver } from '../../src/sales/import/resolve.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { testData } from '../support/test-data.ts';
import { jsonIn } from './formats/reading.ts';

/** Every record of MTGJSON and Scryfall that is here, read without our readers, against the items it became. */

type Identifiers = Partial<Record<'scryfallId' | 'tcgplayerProductId' | 'tcgplayerEtchedProductId' | 'mcmId', string>>;
type MtgjsonCard = {
  uuid: string;
  name: string;
  number: string;
  side?: string;
  layout: string;
  finishes: string[];
  isOnlineOnly?: boolean;
  availability?: string[];
  identifiers: Identifiers;
  setCode: string;
};
type Compact = { code: string } & Record<string, { name: string; collector_number: string; image_uri: string }[]>;
type Item = { id: string; code: string; number: string; name: string; variation: string | null };

const mtgjsonFolder = testData('catalog', 'mtg', 'mtgjson');
const scryfallFolder = testData('catalog', 'mtg', 'scryfall-compact');

describe.skipIf(mtgjsonFolder === null || scryfallFolder === null)('ids of Magic cards', () => {
  let database: FreshDatabase;
  let items: Map<string, Item>;
  let cards: MtgjsonCard[];

  beforeAll(async () => {
    database = await freshDatabase();
    const { db } = database;
    await importCatalog(db, { format: mtgjson, paths: [mtgjsonFolder!] });
    await importCatalog(db, { format: scryfall, paths: [scryfallFolder!] });
    const rows = await db.query<Item>(
      'select i.id, s.code, i.number, i.name, i.variation from items i join sets s on s.id = i.set_id',
    );
    items = new Map(rows.map((row) => [row.id, row]));
    const files = jsonIn<{ data: { code: string; isOnlineOnly: boolean; cards: MtgjsonCard[] } }>(mtgjsonFolder!);
    cards = files.flatMap(({ data }) =>
      data.isOnlineOnly ? [] : data.cards.map((card) => ({ ...card, setCode: data.code })),
    );
  }, 120_000);
  afterAll(() => database.close());

  /** The items of ids of a space, as by-external-id and lists find them. */
  async function itemsOf(space: string, ids: readonly string[]): Promise<Map<string, Item[]>> {
    const resolver = openResolver(database.db);
    const refs = ids.map((value) => ({ by: 'source' as const, space, value }));
    await resolver.load(refs);
    return new Map(refs.map((ref) => [ref.value, resolver.all(ref).map(({ id }) => items.get(id)!)]));
  }

  const isPaper = ({ isOnlineOnly, availability }: MtgjsonCard) =>
    isOnlineOnly !== true &&
    (availability === undefined || availability.length === 0 || availability.includes('paper'));
  const cardOf = ({ setCode, number, name }: MtgjsonCard) => [setCode, number, name].join('|');
  const idsOf = (list: readonly Item[]) => list.map(({ id }) => id).sort();

  test('MTGJSON: an id is its card in its finishes and nothing else, a card has the ids of its sides', async () => {
    const found = await itemsOf(
      'mtgjson',
      cards.map(({ uuid }) => uuid),
    );
    const without: MtgjsonCard[] = [];
    const cardOfItem = new Map<string, string>();
    let pairs = 0;
    for (const card of cards) {
      const named = found.get(card.uuid)!;
      if (named.length === 0) {
        without.push(card);
        continue;
      }
      pairs++;
      expect(named, card.uuid).toHaveLength(new Set(card.finishes).size);
      for (const item of named) {
        expect([item.code, item.number, item.name], card.uuid).toEqual([card.setCode, card.number, card.name]);
        expect(cardOfItem.get(item.id) ?? cardOf(card), item.id).toBe(cardOf(card));
        cardOfItem.set(item.id, cardOf(card));
      }
    }
    // Those without an item exist online only, or are the backs of two cards.
    expect(without.filter((card) => isPaper(card) && !(card.layout === 'meld' && card.side === 'b'))).toEqual([]);
    // The other way: a card of the source is one set of items, whichever of its sides is named.
    for (const sides of groupBy(
      cards.filter((card) => found.get(card.uuid)!.length > 0),
      cardOf,
    ).values())
      expect(new Set(sides.map(({ uuid }) => idsOf(found.get(uuid)!).join())).size, cardOf(sides[0]!)).toBe(1);
    console.info(
      `MTGJSON: ${cards.length} records, ${pairs} with items, ${without.length} online only or backs of two cards`,
    );
    expect(pairs).toBeGreaterThan(3900);
  });

  test('MTGJSON: each finish of an id is exactly one item', async () => {
    const front = cards.filter(({ side }) => side === undefined || side === 'a');
    const rows = await database.db.query<{ source_id: string; item_id: string }>(
      `select source_id, item_id from item_sources where space = 'mtgjson'`,
    );
    const byKey = groupBy(rows, ({ source_id: key }) => key.split('/').slice(0, 2).join('/'));
    const found = await itemsOf(
      'mtgjson',
      front.map(({ uuid }) => uuid),
    );
    const seen = new Map<string, string>();
    for (const card of front.filter(isPaper))
      for (const finish of card.finishes) {
        const key = `${card.uuid}/${finish}`;
        const own = idsOf(found.get(card.uuid)!);
        // Translations of the card have its id in their key; published, it is that of the card alone.
        const ofFinish = (byKey.get(key) ?? []).filter((row) => own.includes(row.item_id));
        expect(ofFinish, key).toHaveLength(1);
        expect(seen.get(ofFinish[0]!.item_id), key).toBeUndefined();
        seen.set(ofFinish[0]!.item_id, key);
      }
    console.info(`MTGJSON: ${seen.size} finishes, as many items`);
    expect(seen.size).toBeGreaterThan(5000);
  });

  test('Scryfall: each id of the set files is one item, and each item has one id', async () => {
    const listed = jsonIn<Compact>(scryfallFolder!, /^[A-Z0-9]{3,5}\.json$/).flatMap(({ code, ...lists }) =>
      Object.values(lists)
        .filter(Array.isArray)
        .flat()
        .map(({ image_uri: uri, ...card }) => ({ ...card, code, id: /([0-9a-f-]{36})\.\w+/.exec(uri)![1]! })),
    );
    const found = await itemsOf(
      'scryfall',
      listed.map(({ id }) => id),
    );
    const byItem = new Map<string, string>();
    for (const { id, code, name, collector_number: number } of listed) {
      const named = found.get(id)!;
      expect(named, id).toHaveLength(1);
      expect([named[0]!.code, named[0]!.number, named[0]!.name]).toEqual([code.toUpperCase(), number, name]);
      expect(byItem.get(named[0]!.id) ?? id).toBe(id);
      byItem.set(named[0]!.id, id);
    }
    console.info(`Scryfall: ${listed.length} records, ${byItem.size} items`);
    expect(byItem.size).toBe(new Set(listed.map(({ id }) => id)).size);
  });

  test('Scryfall, TCGplayer and Cardmarket in MTGJSON: of one card each, but where MTGJSON repeats an id', async () => {
    const repeated: Record<string, number> = {};
    for (const [space, idOf] of [
      ['scryfall', ({ identifiers }: MtgjsonCard) => identifiers.scryfallId],
      ['cardmarket', ({ identifiers }: MtgjsonCard) => identifiers.mcmId],
      [
        'tcgplayer',
        ({ identifiers, finishes }: MtgjsonCard) =>
          finishes.some((one) => one !== 'etched') ? identifiers.tcgplayerProductId : undefined,
      ],
      [
        'tcgplayer',
        ({ identifiers, finishes }: MtgjsonCard) =>
          finishes.includes('etched') ? identifiers.tcgplayerEtchedProductId : undefined,
      ],
    ] as const) {
      const listed = groupBy(
        cards.filter((card) => isPaper(card) && idOf(card) !== undefined && (card.side ?? 'a') === 'a'),
        (card) => idOf(card)!,
      );
      const found = await itemsOf(space, [...listed.keys()]);
      for (const [id, ofSource] of listed) {
        const stated = [...new Set(ofSource.map(cardOf))].sort();
        const ours = [
          ...new Set(found.get(id)!.map(({ code, number, name }) => [code, number, name].join('|'))),
        ].sort();
        expect(ours, `${space} ${id}`).toEqual(stated);
        if (stated.length > 1) repeated[space] = (repeated[space] ?? 0) + 1;
      }
    }
    console.info(`ids that MTGJSON itself gives to two cards: ${JSON.stringify(repeated)}`);
    // The cards of Neon Dynasty with a second number: Cardmarket sells both as one product.
    expect(repeated).toEqual({ cardmarket: 7 });
  });
});
