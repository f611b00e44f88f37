import type { Sql } from '../db/client.ts';
import { formatDay } from '../lib/day.ts';
import { type ChainDay, chainDays } from '../pricing/record/read-record.ts';
import { append, leafHash, type MerkleTree, rootOf, treeOf } from '../record/merkle.ts';
import { chainLeafText } from '../record/receipt.ts';
import type { Checkpoint, NoteKey } from '../record/signed-note.ts';

/** A key of the record: `day` is the first that it signs, null for the first key. */
export type ChainKey = NoteKey & { day: number | null; signature: Buffer | null };

/** The days of the record in order, their tree, and the keys that signed them, the newest last. */
export type Chain = { days: ChainDay[]; tree: MerkleTree; keys: ChainKey[] };

/** The chain as it is now; `known` is an earlier reading of it, which is continued. */
export async function readChain(sql: Sql, known: Chain | null): Promise<Chain> {
  const chain = known ?? { days: [], tree: treeOf([]), keys: [] };
  chain.keys = await sql.query<ChainKey>(
    'select name, public_key as "publicKey", day, signature from record_keys order by number',
  );
  for (const one of await chainDays(sql, chain.days.at(-1)?.day ?? null)) {
    // Another caller has continued it meanwhile.
    if (one.day <= (chain.days.at(-1)?.day ?? Number.NEGATIVE_INFINITY)) continue;
    chain.days.push(one);
    append(chain.tree, leafHash(chainLeafText(leafOf(one))));
  }
  return chain;
}

export function leafOf({ day, lines, root }: ChainDay) {
  return { day: formatDay(day), lines, root: root.toString('hex') };
}

/** Place of a day in the chain; days are closed one after another. -1 for a day that has no record. */
export function placeOf({ days }: Chain, day: number): number {
  const place = day - (days[0]?.day ?? Number.POSITIVE_INFINITY);
  return place >= 0 && place < days.length ? place : -1;
}

/** The head of the chain at the close of a day. */
export function headOf(chain: Chain, day: number): Checkpoint {
  const size = placeOf(chain, day) + 1;
  return { origin: chain.keys[0]!.name, size, root: rootOf(chain.tree, size) };
}

/** The key that signs the checkpoint of a day. */
export function keyOn({ keys }: Chain, day: number): ChainKey {
  return keys.findLast((key) => key.day === null || key.day <= day)!;
}
