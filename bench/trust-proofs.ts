/**
 * `npx tsx bench/trust-proofs.ts demo|real [prices] [days]`: over the demo, or the real sales of the test data, random (card,
 * grade, day): the receipt verifies, in Python too for a thousand of them, and what is read as of the day is bit for bit what a
 * replay of the ledger cut there gives. Then every pair of checkpoints, and flipped bytes of receipts and of a day's file.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gradeOf } from '../src/catalog/grades.ts';
import { readConfig } from '../src/config.ts';
import type { Db } from '../src/db/client.ts';
import { type ItemRow, itemMap } from '../src/items/item-row.ts';
import { dayOf, formatDay } from '../src/lib/day.ts';
import { uniformOf } from '../src/lib/seeded.ts';
import { loadDemo } from '../src/ops/demo/demo-load.ts';
import { seriesOfItems } from '../src/pricing/read/price-series.ts';
import { quotesAsOf } from '../src/pricing/read/quotes.ts';
import { quoteOf, type SeriesQuote } from '../src/pricing/read/series-quote.ts';
import { dayOfRecord, leavesOf, linesOfDay } from '../src/pricing/record/read-record.ts';
import { reprice } from '../src/pricing/reprice.ts';
import { withPricesFromLedger } from '../src/pricing/store/from-ledger.ts';
import { currentChain, openRecordStore, type RecordContext } from '../src/receipts/context.ts';
import { makeReceipt } from '../src/receipts/make-receipt.ts';
import { headOf } from '../src/receipts/record-chain.ts';
import { lineText } from '../src/record/day-line.ts';
import { consistencyProof, isConsistent, leafHash, rootOf, treeOf } from '../src/record/merkle.ts';
import { verifyReceipt } from '../src/record/verify.ts';
import { catalogCards, FIRST_DAY, recordSales } from '../test/pricing/ledger.ts';
import { testSigner } from '../test/support/signer.ts';
import { type BenchDatabase, benchDatabase } from './http/http-database.ts';
import { realSamples } from './pricing/methodology/real-sales.ts';

const IN_PYTHON = 1000;
const FLIPPED_RECEIPTS = 20;
/** Differences that are printed. */
const SHOWN = 5;

const [ledger = 'demo', prices = '10000', days = '40'] = process.argv.slice(2);
const opened = await benchDatabase();
try {
  await proofs(opened, Number(prices), Number(days));
} finally {
  await opened.stop();
}

async function proofs({ db, connection }: BenchDatabase, wanted: number, dayCount: number): Promise<void> {
  if (ledger === 'demo') await loadDemo(db, dayOf(Date.now()), () => {});
  else await loadReal(db);
  const served = { ...db, prices: {} };
  const config = readConfig({ BASE_URL: 'https://prices.example' });
  const context = { db: served, config, record: openRecordStore(testSigner()) } as unknown as RecordContext;
  const { days: chain } = await currentChain(context);
  const random = uniformOf(`proofs ${ledger}`);
  const [first, last] = [chain[0]!.day, chain.at(-1)!.day];
  const chosen = new Set<number>();
  while (chosen.size < Math.min(dayCount, chain.length)) chosen.add(first + Math.floor(random() * (last - first + 1)));
  const sorted = [...chosen].sort((a, b) => a - b);
  const items = (await db.query<{ id: string }>('select distinct item_id as id from sales order by 1')).map(
    ({ id }) => id,
  );
  const receipts: string[] = [];
  let [compared, different, unverified, priced] = [0, 0, 0, 0];
  const differs = (day: number, key: string, how: string) => {
    if (different++ < SHOWN) console.error(`    ${formatDay(day)} ${key}: ${how}`);
  };
  await withPricesFromLedger(
    db,
    connection,
    undefined,
    async (scratch) => {
      for (const [i, day] of sorted.entries()) {
        await reprice(scratch, { through: day });
        // The first days have few prices; later ones make up for them.
        const perDay = Math.ceil((wanted - compared) / (sorted.length - i));
        const some = [...items].sort(() => random() - 0.5).slice(0, perDay);
        const replayed = new Map(
          (await seriesOfItems({ ...scratch, prices: {} }, some))
            .filter(({ own, item, gradeKey }) => own !== null || item.certified.includes(gradeKey))
            .map((series) => [`${series.item.itemId} ${series.gradeKey}`, textOf(quoteOf(series))]),
        );
        const asOf = [...(await quotesAsOf(served, some, day)).values()].flat();
        const isAsOf = new Set(asOf.map(({ itemId, gradeKey }) => `${itemId} ${gradeKey}`));
        for (const key of replayed.keys()) if (!isAsOf.has(key)) differs(day, key, 'only the replay has it');
        const rows = await itemMap(db, some);
        for (const quote of asOf.sort(() => random() - 0.5).slice(0, perDay)) {
          compared++;
          const key = `${quote.itemId} ${quote.gradeKey}`;
          if (replayed.get(key) !== textOf(quote))
            differs(day, key, `as of ${textOf(quote)}\n      replay ${replayed.get(key) ?? 'none'}`);
          if (quote.priceUsdCents !== null) priced++;
          const text = await receiptOf(context, rows.get(quote.itemId)!, quote.gradeKey, day);
          if (text === null) continue;
          const verdict = verifyReceipt(text, null);
          if (!verdict.isVerified || !verdict.isMatch) unverified++;
          receipts.push(text);
        }
        console.error(`  ${formatDay(day)}: ${compared} compared, ${different} differ, ${unverified} not verified`);
      }
    },
    { through: sorted[0]! },
  );
  console.log(
    `${ledger}: ${compared} (card, grade, day) on ${sorted.length} of ${chain.length} days, ${priced} with a price`,
  );
  console.log(`  as of the day differs from a replay: ${different}`);
  console.log(`  receipts ${receipts.length}, not verified or not matching: ${unverified}`);
  inPython(receipts, random);
  flippedReceipts(receipts, random);
  await flippedFile(db, sorted.at(-1)!);
  await consistent(context);
}

/** Without the moment of the close, which a replay runs later. */
function textOf({ updatedAtMs: _at, ...quote }: SeriesQuote): string {
  return JSON.stringify(quote);
}

/** Null for a grade of a card that had not sold by then. */
async function receiptOf(context: RecordContext, item: ItemRow, gradeKey: string, day: number): Promise<string | null> {
  return await makeReceipt(context, { item, gradeKey, day }).catch((error: { code?: string }) => {
    if (error.code === 'not_found') return null;
    throw error;
  });
}

function inPython(receipts: readonly string[], random: () => number): void {
  const folder = mkdtempSync(join(tmpdir(), 'proofs-'));
  const some = [...receipts].sort(() => random() - 0.5).slice(0, IN_PYTHON);
  const files = some.map((text, i) => {
    const file = join(folder, `${i}.json`);
    writeFileSync(file, text);
    return file;
  });
  const { stdout } = spawnSync('python3', ['test/record/verify_record.py', ...files], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  const verdicts = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { isMatch?: boolean });
  rmSync(folder, { recursive: true });
  console.log(`  in Python ${verdicts.filter(({ isMatch }) => isMatch === true).length} of ${some.length} match`);
}

function flippedReceipts(receipts: readonly string[], random: () => number): void {
  let [flips, passed] = [0, 0];
  for (const text of [...receipts].sort(() => random() - 0.5).slice(0, FLIPPED_RECEIPTS)) {
    const original = Buffer.from(text);
    for (let at = 0; at < original.length; at += 1 + Math.floor(random() * 40)) {
      const changed = Buffer.from(original);
      changed[at]! ^= 1 << Math.floor(random() * 8);
      const verdict = verifyReceipt(changed.toString(), null);
      flips++;
      if (verdict.isVerified && verdict.isMatch) passed++;
    }
  }
  console.log(`  receipts with a flipped bit ${flips}, of which ${passed} still match`);
}

/** A file with a bit of a random byte flipped has another root. */
async function flippedFile(db: Db, day: number): Promise<void> {
  const recorded = (await dayOfRecord(db, day))!;
  const lines: string[] = [];
  for await (const line of linesOfDay(db, recorded)) lines.push(lineText(line));
  const file = Buffer.from(lines.map((line) => `${line}\n`).join(''));
  const hashes = lines.map(leafHash);
  const root = rootOf(treeOf(hashes));
  const starts = [0];
  for (const line of lines) starts.push(starts.at(-1)! + Buffer.byteLength(line) + 1);
  let same = 0;
  for (let place = 0; place < lines.length; place++)
    for (let at = starts[place]!; at < starts[place + 1]!; at += 7) {
      const changed = Buffer.from(file.subarray(starts[place]!, starts[place + 1]!));
      changed[at - starts[place]!]! ^= 1 << (at % 8);
      const pieces = changed.toString('latin1').split('\n').slice(0, -1);
      const leaves = pieces.map((piece) => leafHash(Buffer.from(piece, 'latin1').toString()));
      const kept = changed.at(-1) === 0x0a ? leaves : [];
      if (rootOf(treeOf([...hashes.slice(0, place), ...kept, ...hashes.slice(place + 1)])).equals(root)) same++;
    }
  const [stored] = await db.query<{ root: Buffer }>('select root from record_days where day = $1', [day]);
  const holds = stored!.root.equals(root) && (await leavesOf(db, day)).equals(Buffer.concat(hashes));
  console.log(`  a file of ${file.length} bytes has its root: ${holds}; with a flipped bit ${same} times too`);
}

async function consistent(context: RecordContext): Promise<void> {
  const chain = await currentChain(context);
  const heads = chain.days.map(({ day }) => headOf(chain, day));
  let [pairs, broken] = [0, 0];
  for (const now of heads)
    for (const old of heads.slice(0, now.size)) {
      pairs++;
      if (!isConsistent(old, now, consistencyProof(chain.tree, old.size, now.size))) broken++;
    }
  console.log(`  ${heads.length} checkpoints, ${pairs} pairs, not consistent: ${broken}`);
}

/** The real samples as one ledger: a game for each sample, so that all of them take part. */
async function loadReal(db: Db): Promise<void> {
  const samples = await realSamples();
  if (samples === null) throw new Error('there is no test data');
  const games = ['pokemon', 'mtg', 'sports', 'one-piece'];
  const cards = new Map<string, number>();
  const sales = samples.flatMap(({ name, sales }, i) =>
    sales.flatMap(({ item, company, grade, day, soldDay = day, priceUsd, venue = 'auction' }) => {
      const gradeKey = gradeOf(company, grade)?.key;
      if (gradeKey === undefined) return [];
      const key = `${name} ${item}`;
      if (!cards.has(key)) cards.set(key, cards.size + 1);
      const place = { set: i + 1, card: cards.get(key)!, game: games[i % games.length]! };
      return [
        { ...place, day: soldDay - FIRST_DAY, gradeKey, venue, priceUsdCents: Math.round(priceUsd * 100), trueUsd: 0 },
      ];
    }),
  );
  sales.sort((a, b) => a.day - b.day);
  await catalogCards(db, sales);
  await recordSales(db, sales);
  await reprice(db, { through: FIRST_DAY + sales.at(-1)!.day + 1 });
}
