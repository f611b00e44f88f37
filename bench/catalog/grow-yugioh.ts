import { createHash } from 'node:crypto';
import { createWriteStream, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Grows a YGOJSON folder by copying its sets under new ids until it has as many printings (in all locales) as asked.
 *
 *     npx tsx bench/catalog/grow-yugioh.ts <ygojson folder> <new folder> [printings, 342607 as in the whole of YGOJSON]
 *
 * Cards are copied 16 times, to the 14,000 of the whole, so that a reader's list of cards is of real size too.
 */

const CARD_COPIES = 16;
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

type Content = { locales: string[]; cards: unknown[] };
type YgoSet = { name: Record<string, string>; locales: Record<string, { prefix?: string }>; contents: Content[] };
type YgoCard = { id: string; text: Record<string, { name: string }> };

const [from, to, wantedText = '342607'] = process.argv.slice(2);
const wanted = Number(wantedText);
if (from === undefined || to === undefined || !Number.isSafeInteger(wanted) || wanted < 1) {
  console.error('usage: npx tsx bench/catalog/grow-yugioh.ts <ygojson folder> <new folder> [printings]');
  process.exit(2);
}

function grownId(id: string, copy: number): string {
  if (copy === 0) return id;
  const hex = createHash('sha1').update(`${id} ${copy}`).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-');
}

mkdirSync(join(to, 'sets'), { recursive: true });
const cards = readFileSync(join(from, 'cards.ndjson'), 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as YgoCard);
const cardIds = new Set(cards.map((card) => card.id));
const out = createWriteStream(join(to, 'cards.ndjson'));
for (let copy = 0; copy < CARD_COPIES; copy++) {
  for (const card of cards) {
    const entries = Object.entries(card.text);
    const text = Object.fromEntries(entries.map(([key, { name }]) => [key, { name: copy ? `${name} ${copy}` : name }]));
    out.write(`${JSON.stringify({ ...card, id: grownId(card.id, copy), text })}\n`);
  }
}
await new Promise<void>((resolve) => out.end(resolve));

const files = readdirSync(join(from, 'sets')).sort();
let printings = 0;
let sets = 0;
for (let copy = 0; printings < wanted; copy++) {
  for (const file of files) {
    if (printings >= wanted) break;
    const text = readFileSync(join(from, 'sets', file), 'utf8').replace(UUID, (id) =>
      grownId(id, cardIds.has(id) ? copy % CARD_COPIES : copy),
    );
    const set = JSON.parse(text) as YgoSet;
    for (const key of Object.keys(set.name)) if (copy > 0) set.name[key] += ` (copy ${copy})`;
    for (const locale of Object.values(set.locales))
      if (copy > 0 && locale.prefix) locale.prefix = `X${copy}${locale.prefix}`;
    for (const content of set.contents) {
      content.cards = content.cards.slice(0, Math.ceil((wanted - printings) / content.locales.length));
      printings += content.cards.length * content.locales.length;
    }
    writeFileSync(join(to, 'sets', file.replace('.json', `-${copy}.json`)), JSON.stringify(set));
    sets++;
  }
}
console.log(`${to}: ${printings} printings in ${sets} sets, ${cards.length * CARD_COPIES} cards`);
