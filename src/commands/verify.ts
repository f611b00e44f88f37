import { readFile } from 'node:fs/promises';
import { type ReceiptVerdict, verifyReceipt } from '../record/verify.ts';
import { type JsonOption, report } from './output.ts';

/** Exit codes of their own: 0 only where the receipt was verified and its price is the one that its lines give. */
const VERIFY_EXIT = { mismatch: 1, notVerified: 2 } as const;
const FETCH_WITHIN_MS = 30_000;

/** `mintmark verify <receipt.json | url> [--key <name+hash+base64>]`: needs no database and no settings. */
export async function verifyCommand(place: string, { key, ...options }: JsonOption & { key?: string }): Promise<void> {
  const verdict = await textOf(place).then(
    (text) => verifyReceipt(text, key ?? null),
    (error: Error): ReceiptVerdict => ({ isVerified: false, because: `${place} cannot be read: ${causeOf(error)}` }),
  );
  if (!verdict.isVerified) {
    report(options, verdict, () => [`NOT VERIFIED because ${verdict.because}`]);
    process.exitCode = VERIFY_EXIT.notVerified;
    return;
  }
  const { recomputed, published, isMatch, isSigned } = verdict;
  const cents = (price: number | null) => price ?? 'none';
  console.error(`key ${verdict.key}${key === undefined ? ' (its own: give --key to require one)' : ''}`);
  if (!isSigned) console.error('the service did not sign it like this: it was changed since');
  if (!isMatch) console.error(`recomputed ${JSON.stringify(recomputed)}\npublished  ${JSON.stringify(published)}`);
  report(options, verdict, () => [
    `recomputed ${cents(recomputed.priceUsdCents)} published ${cents(published.priceUsdCents)} ${isMatch ? 'MATCH' : 'MISMATCH'}`,
  ]);
  if (!isMatch) process.exitCode = VERIFY_EXIT.mismatch;
}

async function textOf(place: string): Promise<string> {
  if (!/^https?:\/\//.test(place)) return await readFile(place, 'utf8');
  const response = await fetch(place, { signal: AbortSignal.timeout(FETCH_WITHIN_MS) });
  if (!response.ok) throw new Error(`the answer is ${response.status}`);
  return await response.text();
}

function causeOf(error: Error): string {
  return error.cause instanceof Error ? error.cause.message : error.message;
}
