import { LRUCache } from 'lru-cache';
import type { Core } from '../http/context.ts';
import { leavesOf } from '../pricing/record/read-record.ts';
import { HASH_BYTES, type MerkleTree, treeOf } from '../record/merkle.ts';
import { checkpointText, formatNote, publicKeyOf, signatureOf } from '../record/signed-note.ts';
import { type Chain, headOf, keyOn, readChain } from './record-chain.ts';
import { noteFirstKey, originOf, type Signer } from './record-keys.ts';

/** What the routes of the record work with. */
export type RecordContext = Core & { record: RecordStore };

/** A server's view of the record: the chain, and trees of days read before. */
export type RecordStore = { signer: Signer; chain: Chain | null; trees: LRUCache<number, MerkleTree> };

/** Lines of all trees that are kept; each takes about 200 bytes. */
const KEPT_LINES = 200_000;

export function openRecordStore(signer: Signer): RecordStore {
  return { signer, chain: null, trees: new LRUCache({ maxSize: KEPT_LINES, sizeCalculation: ({ size }) => size }) };
}

/** The chain as it is now. */
export async function currentChain({ db, config, record }: RecordContext): Promise<Chain> {
  const chain = await readChain(db, record.chain);
  record.chain = chain;
  if (chain.keys.length > 0) return chain;
  await noteFirstKey(db, record.signer.key(), originOf(config.baseUrl));
  return await readChain(db, chain);
}

/** The tree of a day's lines. */
export async function treeOfDay({ db, record }: RecordContext, day: number): Promise<MerkleTree> {
  const known = record.trees.get(day);
  if (known !== undefined) return known;
  const leaves = await leavesOf(db, day);
  const tree = treeOf(
    Array.from({ length: leaves.length / HASH_BYTES }, (_, i) => leaves.subarray(i * HASH_BYTES, (i + 1) * HASH_BYTES)),
  );
  record.trees.set(day, tree);
  return tree;
}

/** The key that signs now, read again where another process has rotated it. */
export async function signingKey({ record: { signer } }: RecordContext, { keys }: Chain) {
  const { publicKey } = keys.at(-1)!;
  if (!publicKey.equals(publicKeyOf(signer.key()))) await signer.reload();
  return signer.key();
}

/** The signed checkpoint of the close of a day. */
export async function checkpointOn(context: RecordContext, chain: Chain, day: number): Promise<string> {
  const text = checkpointText(headOf(chain, day));
  const key = keyOn(chain, day);
  if (key === chain.keys.at(-1)) return formatNote(text, key, signatureOf(await signingKey(context, chain), text));
  const [row] = await context.db.query<{ signature: Buffer }>('select signature from record_days where day = $1', [
    day,
  ]);
  return formatNote(text, key, row!.signature);
}
