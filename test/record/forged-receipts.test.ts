import { afterAll, beforeAll, expect, test } from 'vitest';
import { formatDay } from '../../src/lib/day.ts';
import { reprice } from '../../src/pricing/reprice.ts';
import { canonicalJson, type JsonValue } from '../../src/record/canonical-json.ts';
import { inclusionProof, leafHash, rootOf, treeOf } from '../../src/record/merkle.ts';
import { chainLeafText, type Receipt, signedReceipt } from '../../src/record/receipt.ts';
import { checkpointText, formatNote, parseKey, privateKeyOf, signatureOf } from '../../src/record/signed-note.ts';
import { verifyReceipt } from '../../src/record/verify.ts';
import { catalogCards, FIRST_DAY, itemIdOf, recordSales } from '../pricing/ledger.ts';
import { syntheticMarket } from '../pricing/model/synthetic-market.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';

const market = syntheticMarket({ seed: 3, days: 40, cards: 5, sales: 200 });
const LAST = formatDay(FIRST_DAY + 39);
const EARLIER = formatDay(FIRST_DAY + 3);
/** The key that signs the record of a test. */
const signingKey = privateKeyOf(Buffer.alloc(32, 9));
const hex = (bytes: Buffer) => bytes.toString('hex');

let fresh: FreshDatabase;
let service: TestApp;
let receipt: Receipt;
beforeAll(async () => {
  fresh = await freshDatabase();
  await catalogCards(fresh.db, market);
  await recordSales(fresh.db, market);
  await reprice(fresh.db, { through: FIRST_DAY + 39 });
  service = await testApp(fresh.db);
  const { card, gradeKey } = market[0]!;
  receipt = (await service.get(`/v1/receipts/${itemIdOf(card)}/${gradeKey}/${LAST}`)).json;
});
afterAll(async () => {
  await service.app.close();
  await fresh.close();
});

type PlacedLine = { day: string; line: Record<string, JsonValue> };
const placed = (): PlacedLine[] =>
  receipt.lines.map((line, i) => ({ day: receipt.proofs[i]!.day, line: JSON.parse(line) }));
/** The lines of the receipt with one of them changed, or in the record of another day. */
const changed = (kind: string, change: Record<string, JsonValue>, day?: string): PlacedLine[] =>
  placed().map((one) => (one.line.k === kind ? { day: day ?? one.day, line: { ...one.line, ...change } } : one));

/** A whole record of such lines, every part of it proved and signed by the key of the service; then some of it changed. */
function forged(lines: readonly PlacedLine[], change: (built: Receipt) => Partial<Receipt> = () => ({}), later = 0) {
  const texts = lines.map(({ line }) => canonicalJson(line));
  const days = [...new Set(lines.map(({ day }) => day))].sort();
  const trees = days.map((day) => treeOf(texts.filter((_, i) => lines[i]!.day === day).map(leafHash)));
  const leaves = days.map((day, i) => ({ day, lines: trees[i]!.size, root: hex(rootOf(trees[i]!)) }));
  const chain = treeOf([...leaves.map(chainLeafText), ...Array(later).fill('a later day')].map(leafHash));
  const key = parseKey(receipt.keys.first)!;
  const head = checkpointText({ origin: key.name, size: chain.size, root: rootOf(chain) });
  const built: Receipt = {
    ...receipt,
    lines: texts,
    proofs: lines.map(({ day }, i) => {
      const tree = trees[days.indexOf(day)]!;
      const index = tree.levels[0]!.findIndex((leaf) => leaf.equals(leafHash(texts[i]!)));
      return { day, index, path: inclusionProof(tree, index).map(hex) };
    }),
    days: leaves.map((leaf, index) => ({ ...leaf, index, path: inclusionProof(chain, index).map(hex) })),
    checkpoint: formatNote(head, key, signatureOf(signingKey, head)),
  };
  const { signature: _signature, ...rest } = { ...built, ...change(built) };
  const verdict = verifyReceipt(signedReceipt(rest, signingKey), null);
  return verdict.isVerified ? verdict.isMatch : verdict.because;
}

test('a record that is built like the service’s verifies', () => {
  expect(forged(placed())).toBe(true);
});

test('a line, a day or a checkpoint that the proofs do not lead to is not verified, also in a signed receipt', () => {
  const otherLevel = changed('market', { level: 7 });
  const [at] = placed().flatMap(({ line }, i) => (line.k === 'market' ? [i] : []));
  const text = canonicalJson(otherLevel[at!]!.line);
  expect(forged(placed(), ({ lines }) => ({ lines: lines.with(at!, text) }))).toBe(
    `a line is not in the record of ${LAST}`,
  );
  const otherDays = (built: Receipt) => built.days.map((day) => ({ ...day, lines: day.lines + 1 }));
  expect(forged(placed(), (built) => ({ days: otherDays(built) }))).toMatch(/ is not in the signed chain$/);
  expect(forged(placed(), ({ checkpoint }) => ({ checkpoint: checkpoint.replace('\n\n', '\nmore\n\n') }))).toBe(
    'no key of the record has signed the checkpoint',
  );
  expect(forged(placed(), undefined, 1)).toBe(`the checkpoint is not that of ${LAST}`);
});

test('each line must be of the day, the card and the game of the price', () => {
  expect(forged(changed('day', { day: EARLIER }))).toBe('the header is of another day');
  for (const kind of ['day', 'market', 'calibration'])
    expect(forged(changed(kind, {}, EARLIER))).toBe(`it does not have the ${kind} line of ${LAST}`);
  expect(forged(changed('market', { game: 'another' }))).toBe('its market is that of another game');
  expect(forged(changed('snapshot', { item: itemIdOf(99) }))).toBe('it does not have the snapshot of its card');
  expect(forged(changed('snapshot', { day: formatDay(FIRST_DAY + 40) }))).toBe('its snapshot is of a later day');
  expect(forged(changed('curve', { day: formatDay(FIRST_DAY + 40) }))).toBe('its curve is of a later day');
  expect(forged(changed('curve', { game: 'another' }))).toBe('its curve is that of another game or set');
});

test('what a price is not computed from has no place in its receipt', () => {
  expect(forged([...placed(), { day: LAST, line: { k: 'another' } }])).toBe('it has lines that it does not need');
  const twice = (built: Receipt) => ({ days: [...built.days, built.days[0]!] });
  expect(forged(placed(), twice)).toBe('a day is stated twice');
});
