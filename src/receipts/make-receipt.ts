import { notFound } from '../http/problem.ts';
import type { ItemRow } from '../items/item-row.ts';
import { identityOf, lowAndHigh } from '../items/summary.ts';
import { formatDay } from '../lib/day.ts';
import { quotesAsOf, type SeriesQuote } from '../pricing/read/quotes.ts';
import { priceLinesOf } from '../pricing/record/price-lines.ts';
import { dayOfRecord, tablesOf } from '../pricing/record/read-record.ts';
import { type KeyLine, lineText } from '../record/day-line.ts';
import { inclusionProof, leafHash } from '../record/merkle.ts';
import type { LineProof, ProvedDay, Receipt, ReceiptItem, RecordKeys } from '../record/receipt.ts';
import { signedReceipt } from '../record/receipt.ts';
import type { PublishedPrice } from '../record/recompute.ts';
import { formatKey } from '../record/signed-note.ts';
import { checkpointOn, currentChain, type RecordContext, signingKey, treeOfDay } from './context.ts';
import { type Chain, type ChainKey, leafOf, placeOf } from './record-chain.ts';

/** The canonical text of the receipt of a series on a day of the record. Throws not_found where there was no such series. */
export async function makeReceipt(
  context: RecordContext,
  { item, gradeKey, day }: { item: ItemRow; gradeKey: string; day: number },
): Promise<string> {
  const { db, config } = context;
  const [chain, recorded, quotes] = await Promise.all([
    currentChain(context),
    dayOfRecord(db, day),
    quotesAsOf(db, [item.id], day),
  ]);
  const { version } = recorded!;
  const lines = await priceLinesOf(tablesOf(db, day), recorded!, item.id);
  const quote = quotes.get(item.id)?.find((one) => one.gradeKey === gradeKey);
  if (lines === null || quote === undefined)
    throw notFound(`At the close of ${formatDay(day)} nothing was known of ${item.name} in this grade.`);
  const texts = lines.map(({ line }) => lineText(line));
  const proofs = await Promise.all(lines.map(({ day: on }, i) => lineProof(context, on, texts[i]!)));
  const days = [...new Set(lines.map((one) => one.day))].sort((a, b) => a - b);
  const receipt: Omit<Receipt, 'signature'> = {
    receipt: 1,
    url: `${config.baseUrl}/v1/receipts/${item.id}/${gradeKey}/${formatDay(day)}`,
    item: receiptItem(item),
    gradeToken: gradeKey,
    day: formatDay(day),
    version,
    parameters: recorded!.parametersText,
    published: publishedOf(quote),
    lines: texts,
    proofs,
    days: days.map((one) => provedDay(chain, one, day)),
    checkpoint: await checkpointOn(context, chain, day),
    keys: keysOf(chain.keys),
  };
  return signedReceipt(receipt, await signingKey(context, chain));
}

function receiptItem(item: ItemRow): ReceiptItem {
  const { id, game, name, setName, cardNumber, language, variation } = identityOf(item);
  return { id, game, name, setName, cardNumber, language, variation };
}

function publishedOf(quote: SeriesQuote): PublishedPrice {
  const { priceUsdCents, lowUsdCents: low, highUsdCents: high, confidenceScore, nextSaleRange } = quote;
  return { priceUsdCents, low, high, confidenceScore, nextSaleRangeUsdCents: lowAndHigh(nextSaleRange) };
}

async function lineProof(context: RecordContext, day: number, line: string): Promise<LineProof> {
  const tree = await treeOfDay(context, day);
  const hash = leafHash(line);
  const index = tree.levels[0]!.findIndex((leaf) => leaf.equals(hash));
  if (index < 0) throw new Error(`the record of ${formatDay(day)} does not have the line ${line}`);
  return { day: formatDay(day), index, path: inclusionProof(tree, index).map(hex) };
}

function provedDay(chain: Chain, day: number, headDay: number): ProvedDay {
  const index = placeOf(chain, day);
  const path = inclusionProof(chain.tree, index, placeOf(chain, headDay) + 1).map(hex);
  return { ...leafOf(chain.days[index]!), index, path };
}

/** The first key, and the lines that replaced it. */
export function keysOf(keys: readonly ChainKey[]): RecordKeys {
  const names = keys.map(formatKey);
  const rotations = keys.slice(1).map(
    ({ signature }, i): KeyLine => ({
      k: 'key',
      from: names[i]!,
      key: names[i + 1]!,
      signature: signature!.toString('base64'),
    }),
  );
  return { first: names[0]!, rotations };
}

function hex(hash: Buffer): string {
  return hash.toString('hex');
}
