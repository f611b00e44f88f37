import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileDigest } from '../files.ts';
import { counted } from '../lib/counted.ts';
import { isManifest, type ManifestFile, verifyManifest } from '../record/bulk-manifest.ts';
import { type ReceiptVerdict, verifyReceipt } from '../record/verify.ts';
import { type JsonOption, report } from './output.ts';

/** Exit codes of their own: 0 only where the receipt was verified and its price is the one that its lines give. */
const VERIFY_EXIT = { mismatch: 1, notVerified: 2 } as const;
const FETCH_WITHIN_MS = 30_000;

type Options = JsonOption & { key?: string; files?: string };

/** `mintmark verify <receipt or list of files> [--key <name+hash+base64>] [--files <folder>]`: needs no database and no settings. */
export async function verifyCommand(place: string, options: Options): Promise<void> {
  const text = await textOf(place).catch((error: Error) => error);
  const key = options.key ?? null;
  if (text instanceof Error) notVerified(options, `${place} cannot be read: ${causeOf(text)}`);
  else if (isManifest(text)) await reportManifest(text, key, options);
  else reportReceipt(verifyReceipt(text, key), options);
}

function notVerified(options: Options, because: string): void {
  report(options, { isVerified: false, because }, () => [`NOT VERIFIED because ${because}`]);
  process.exitCode = VERIFY_EXIT.notVerified;
}

/** Which key the trust begins with, on standard error. */
function printKey(trusted: string, { key }: Options): void {
  console.error(`key ${trusted}${key === undefined ? ' (the one in it: give --key to accept no other)' : ''}`);
}

/** The list of `GET /v1/bulk`, and the files of it that are in a folder. */
async function reportManifest(text: string, key: string | null, options: Options): Promise<void> {
  const verdict = verifyManifest(text, key);
  if (!verdict.isVerified) return notVerified(options, verdict.because);
  printKey(verdict.key, options);
  const { day, files } = verdict;
  const [matching, other]: [string[], string[]] = [[], []];
  for (const file of options.files === undefined ? [] : files) {
    const state = await stateOf(join(options.files!, file.name), file);
    if (state !== 'missing') (state === 'match' ? matching : other).push(file.name);
  }
  report(options, { isVerified: true, isMatch: other.length === 0, day, files: files.length, matching, other }, () => [
    `${counted(files.length, 'file')} of ${day} ${files.length === 1 ? 'is' : 'are'} signed`,
    ...matching.map((name) => `${name} MATCH`),
    ...other.map((name) => `${name} MISMATCH`),
  ]);
  if (other.length > 0) process.exitCode = VERIFY_EXIT.mismatch;
}

async function stateOf(path: string, { digest }: ManifestFile): Promise<'match' | 'mismatch' | 'missing'> {
  const found = await fileDigest(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (found === null) return 'missing';
  return found.toString('hex') === digest ? 'match' : 'mismatch';
}

function reportReceipt(verdict: ReceiptVerdict, options: Options): void {
  if (!verdict.isVerified) {
    notVerified(options, verdict.because);
    return;
  }
  const { recomputed, published, isMatch, isSigned } = verdict;
  const cents = (price: number | null) => price ?? 'none';
  printKey(verdict.key, options);
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
  if (response.status === 404)
    throw new Error('there is no receipt at this address (404); a day without a price has none');
  if (!response.ok) throw new Error(`the answer is ${response.status}`);
  return await response.text();
}

function causeOf(error: Error): string {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'there is no such file';
  return error.cause instanceof Error ? error.cause.message : error.message;
}
