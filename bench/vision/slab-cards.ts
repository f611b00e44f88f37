/**
 * Cards of slabs by their labels, read from made-up photos of cards of the real catalogs, so that the right answer is known.
 * With --words no photo is made: the words of labels in PSA's style are given as printed. --company and --side keep to
 * photos of one company's slabs and of one size (long side, pixels). With --rarities a label names the rarity of a card that its set
 * has in several, as labels of such cards do; without, none does.
 *
 *   node --import tsx bench/vision/slab-cards.ts [--photos 100] [--from 80000] [--minutes 10] [--words] [--rarities] [--company PSA] [--side 2000]
 */
import { parseArgs } from 'node:util';
import { bandai } from '../../src/catalog/formats/bandai.ts';
import { tcgdex } from '../../src/catalog/formats/tcgdex.ts';
import { ygojson } from '../../src/catalog/formats/ygojson.ts';
import { labelBook } from '../../src/graded/slab/label-book.ts';
import { labelledItems } from '../../src/graded/slab/label-catalog.ts';
import { labelledItem } from '../../src/graded/slab/slab-card.ts';
import type { MatchItem } from '../../src/sales/match/match-index.ts';
import { decodePhoto } from '../../src/vision/photo.ts';
import { readSlab } from '../../src/vision/slab/read-slab.ts';
import { openSlabTools } from '../../src/vision/slab/tools.ts';
import { randomOf } from '../../test/support/photos/photo-random.ts';
import type { LabelCard } from '../../test/support/photos/slab-label.ts';
import { photographSlab } from '../../test/support/photos/slabs.ts';
import { testData } from '../../test/support/test-data.ts';

const { values } = parseArgs({
  options: {
    photos: { type: 'string', default: '100' },
    from: { type: 'string', default: '80000' },
    minutes: { type: 'string', default: '10' },
    words: { type: 'boolean', default: false },
    rarities: { type: 'boolean', default: false },
    company: { type: 'string' },
    side: { type: 'string' },
  },
});
const CATALOGS = [
  [tcgdex, 'pokemon', 'tcgdex'],
  [bandai, 'one-piece', 'bandai-vegapull'],
  [ygojson, 'yugioh', 'ygojson'],
] as const;
const GAMES: Partial<Record<string, string>> = { pokemon: 'Pokemon', 'one-piece': 'One Piece', yugioh: 'Yu-Gi-Oh!' };
const COMPANIES = (['PSA', 'BGS', 'CGC'] as const).filter((name) => (values.company ?? name) === name);
const SIDES = values.side === undefined ? [2000, 2000, 800] : [Number(values.side)];

const items: MatchItem[] = [];
for (const [format, game, folder] of CATALOGS) {
  const path = testData('catalog', game, folder);
  if (path === null) throw new Error(`no catalog of ${game}`);
  for await (const entry of format.read([path])) if (entry.kind === 'record') items.push(itemOf(entry.record));
}
const rarities = new Map<string, Set<string | null>>();
for (const item of items)
  rarities.set(placeOf(item), (rarities.get(placeOf(item)) ?? new Set()).add(item.rarity ?? null));
const labels = Promise.resolve(labelBook(items.flatMap(labelledItems)));
const byGame = Object.keys(GAMES).map((game) => items.filter((item) => item.game === game && cardOf(item) !== null));
const tools = await openSlabTools();
const tallies = new Map<string, { labels: number; right: number; wrong: number; unmatched: number; noLabel: number }>();
const until = performance.now() + Number(values.minutes) * 60_000;
for (let seed = Number(values.from); seed < Number(values.from) + Number(values.photos); seed++) {
  if (performance.now() > until) break;
  const random = randomOf(seed);
  const item = random.pick(byGame[seed % byGame.length]!);
  const reading = values.words ? asPrinted(cardOf(item)!) : await photographed(seed, item);
  const group = `${item.game}, ${item.language}`;
  const tally = tallies.get(group) ?? { labels: 0, right: 0, wrong: 0, unmatched: 0, noLabel: 0 };
  tallies.set(group, tally);
  tally.labels++;
  if (reading === null) {
    tally.noLabel++;
    continue;
  }
  const valuer = { labels: () => labels } as unknown as Parameters<typeof labelledItem>[0]['valuer'];
  const { itemId } = await labelledItem({ valuer }, reading, new AbortController().signal);
  if (itemId === item.id) tally.right++;
  else if (itemId === null) tally.unmatched++;
  else {
    tally.wrong++;
    const identified = items.find(({ id }) => id === itemId)!;
    console.log(`${seed} ${JSON.stringify(reading.rows)}: ${wordsOf(item)}, identified ${wordsOf(identified)}`);
  }
}
console.table(Object.fromEntries(tallies));
await tools.ocr.close();

function asPrinted({ year, game, set, name, variety, number }: LabelCard) {
  const words = [`${year} ${game} ${set}`, name, variety, `#${number.split('/')[0]}`];
  const rows = words.filter((row) => row !== '').map((row) => row.toUpperCase());
  return { rows, legible: rows, hasGap: false };
}

async function photographed(seed: number, item: MatchItem) {
  const random = randomOf(seed + 1_000_000);
  const company = random.pick(COMPANIES);
  const longSidePx = random.pick(SIDES);
  const { jpeg } = await photographSlab(seed, company, { longSidePx, print: { card: cardOf(item)! } });
  const reading = await readSlab(tools, await decodePhoto(jpeg, 4000));
  return reading.kind === 'unreadable' ? null : reading;
}

function itemOf(
  record: Omit<MatchItem, 'id' | 'setName' | 'setCode'> & {
    ids: [space: string, id: string][];
    set: { name: string; code: string | null; year: number | null };
    facts: { characters?: string[] };
  },
): MatchItem {
  const { ids, set, facts, ...item } = record;
  const { name: setName, code: setCode } = set;
  const id = ids[0]!.join(' ');
  return { ...item, id, setName, setCode, year: item.year ?? set.year, characters: facts.characters ?? [] };
}

/** What its label says; null for a card whose name no label spells in Latin letters, or without a year. */
function cardOf(item: MatchItem): LabelCard | null {
  const isLatin = (text: string) => /^[\x20-\x7e]+$/.test(text);
  const characters = item.characters ?? [];
  const name = isLatin(item.name) ? item.name : characters.length === 1 ? characters[0]! : null;
  // The catalog of One Piece has no years; labels have.
  const year = item.year ?? (item.game === 'one-piece' ? 2023 : null);
  if (name === null || year === null || item.number === null || !isLatin(item.setName)) return null;
  if (item.language !== 'English' && item.language !== 'Japanese') return null;
  const game = GAMES[item.game]! + (item.language === 'Japanese' ? ' Japanese' : '');
  const number = labelledItems(item).at(-1)!.number;
  return number == null ? null : { name, year, game, set: item.setName, number, variety: varietyOf(item) };
}

function varietyOf(item: MatchItem): string {
  const isOfSeveral = values.rarities && rarities.get(placeOf(item))!.size > 1;
  return [item.variation, isOfSeveral ? item.rarity : null].filter((words) => words !== null).join(' ');
}

/** Where its set has a card, in whatever rarity. */
function placeOf({ game, setName, number, language }: MatchItem): string {
  return [game, setName, number, language].join(' | ');
}

function wordsOf({ game, setName, number, name, language, variation }: MatchItem): string {
  return [game, setName, number, name, language, variation].join(' | ');
}
