/** Files of a generated world of any size, as an operator would import them: a catalog, sales of two years, slabs. */
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { formatDay, parseDay } from '../../src/lib/day.ts';
import { uniformOf } from '../../src/lib/seeded.ts';

export const LAST_DAY = parseDay('2026-11-20')!;
export const DAYS = 730;

/** Shares of the nine games in the items, about as in the published lists. */
const GAMES: readonly [game: string, share: number][] = [
  ['mtg', 0.45],
  ['pokemon', 0.2],
  ['yugioh', 0.15],
  ['sports', 0.12],
  ['digimon', 0.02],
  ['one-piece', 0.02],
  ['lorcana', 0.02],
  ['riftbound', 0.01],
  ['gundam', 0.01],
];
const SET_CARDS = 250;
/** The largest real set has about so many. */
const LARGE_SET_CARDS = 19_000;
const SYLLABLES = [
  'ka',
  'ro',
  'mi',
  'ven',
  'tal',
  'sho',
  'dri',
  'gar',
  'lu',
  'ne',
  'pha',
  'qui',
  'zor',
  'bel',
  'cy',
  'wyn',
];
const GRADES: readonly [company: string, grade: string, times: number][] = [
  ['PSA', '10', 4],
  ['PSA', '9', 1.5],
  ['CGC', '9.5', 1.2],
  ['RAW', 'A', 0.6],
];
/** Of PSA; the others follow. */
export const FIRST_CERT = 10_000_000;
/** Of all cards so many have sold; the 2nd power of a uniform number picks among them, so that few sell often. */
export const SOLD_SHARE = 0.2;

/** Writes lines, and waits where the file takes them slower than they come. */
async function write(path: string, lines: Iterable<string>): Promise<void> {
  const out = createWriteStream(path);
  let text = '';
  for (const line of lines) {
    text += `${line}\n`;
    if (text.length < 1 << 16) continue;
    if (!out.write(text)) await once(out, 'drain');
    text = '';
  }
  out.end(text);
  await once(out, 'close');
}

/** The word of a number: base 16 in syllables. */
function wordOf(number: number): string {
  let word = '';
  for (let rest = number + 16; rest > 0; rest >>= 4) word += SYLLABLES[rest & 15];
  return word[0]!.toUpperCase() + word.slice(1);
}

/** `items` printings in Mintmark's own format. Words grow with the 0.57th power of the items, as in the real catalogs. */
export async function writeCatalog(path: string, items: number): Promise<void> {
  const random = uniformOf('growth catalog');
  const words = Math.ceil(58 * items ** 0.57);
  const word = () => wordOf(Math.floor(words * random() ** 3));
  function* lines() {
    for (const [game, share] of GAMES) {
      const count = Math.round(items * share);
      let [set, inSet, size] = [0, 0, game === 'mtg' ? Math.min(LARGE_SET_CARDS, count / 4) : SET_CARDS];
      for (let n = 0; n < count; n++, inSet++) {
        if (inSet >= size) [set, inSet, size] = [set + 1, 0, SET_CARDS];
        const variation = inSet % 3 === 2 ? 'Foil' : undefined;
        const number = String(1 + inSet - (variation ? 1 : 0));
        const name = variation === undefined ? `${word()} ${word()}` : '';
        yield { game, set, number, name, variation };
      }
    }
  }
  function* texts() {
    let plainName = '';
    for (const { game, set, number, name, variation } of lines()) {
      // A foil is of the card before it.
      if (variation === undefined) plainName = name;
      const setOf = { key: `s${set}`, name: `${wordOf(set * 7)} ${set}`, code: `G${set}`, year: 1995 + (set % 30) };
      yield JSON.stringify({ game, set: setOf, number, name: plainName, variation, rarity: 'Rare' });
    }
  }
  await write(path, texts());
}

/** The sales of the days from one on, `aDay` each, in Mintmark's own CSV; `ids` of the cards that sell, the most sold first. */
export async function writeSales(
  path: string,
  ids: readonly string[],
  { fromDay, toDay, aDay }: { fromDay: number; toDay: number; aDay: number },
): Promise<void> {
  const random = uniformOf(`growth sales ${fromDay}`);
  function* lines() {
    yield 'item_id,company,grade,price,currency,sold_at,known_at,source,sale_id,sale_type,url';
    for (let day = fromDay; day <= toDay; day++) {
      for (let k = 0; k < aDay; k++) {
        const card = Math.floor(ids.length * random() ** 2);
        const [company, grade, times] = GRADES[Math.floor(random() * random() * GRADES.length)]!;
        const noise = (random() + random() + random() - 1.5) * 0.4;
        const usd = times * Math.exp(2 + 3 * fraction(card * 0.618034) + 0.2 * Math.sin(day / 120 + card) + noise);
        const id = `${day}-${k}`;
        // Else a sale of a day after the first close would be known today, which the close of its day does not take in.
        const time = `${formatDay(day)}T12:00:00Z`;
        yield `${ids[card]},${company},${grade},${usd.toFixed(2)},USD,${time},${time},${k % 2 ? 'ebay' : 'goldin'},${id},auction,https://market.example/${id}`;
      }
    }
  }
  await write(path, lines());
}

/** `count` slabs of the cards, in Mintmark's own CSV. */
export async function writeCerts(path: string, ids: readonly string[], count: number): Promise<void> {
  function* lines() {
    yield 'cert,company,itemId,grade';
    for (let n = 0; n < count; n++) yield `${FIRST_CERT + n},PSA,${ids[n % ids.length]},${n % 3 === 0 ? '9' : '10'}`;
  }
  await write(path, lines());
}

function fraction(value: number): number {
  return value - Math.floor(value);
}
