import type { KeyObject } from 'node:crypto';
import { canonicalJson, type JsonValue } from './canonical-json.ts';
import type { KeyLine } from './day-line.ts';
import type { PublishedPrice } from './recompute.ts';
import { signatureOf } from './signed-note.ts';

/** One price with everything that it is checked by (docs/methodology/record.md, section 4). Hashes are hex, days YYYY-MM-DD. */
export type Receipt = {
  receipt: 1;
  /** The address it is served at. */
  url: string;
  item: ReceiptItem;
  gradeToken: string;
  day: string;
  /** Of the price model that computed it, and its parameters as canonical JSON. */
  version: string;
  parameters: string;
  published: PublishedPrice;
  /** The lines of the record that it is computed from, and the place of each in the file of a day. */
  lines: string[];
  proofs: LineProof[];
  /** The days that these lines are of, each with its place in the chain of days. */
  days: ProvedDay[];
  /** The signed head of the chain at the close of `day`. */
  checkpoint: string;
  keys: RecordKeys;
  /** Base64: by the newest key, over the canonical JSON of all the rest. */
  signature: string;
};

export type ReceiptItem = {
  id: string;
  game: string;
  name: string;
  setName: string | null;
  cardNumber: string | null;
  language: string;
  variation: string | null;
};

export type LineProof = { day: string; index: number; path: string[] };
export type ProvedDay = ChainLeaf & { index: number; path: string[] };
/** A leaf of the chain of days; its data are its canonical JSON. */
export type ChainLeaf = { day: string; lines: number; root: string };
/** The first key that signed, and the lines of the record that replaced it. */
export type RecordKeys = { first: string; rotations: KeyLine[] };

/** The data of a leaf of the chain. */
export function chainLeafText({ day, lines, root }: ChainLeaf): string {
  return canonicalJson({ day, lines, root });
}

/** What the signature of a receipt, or of a key's line, covers. */
export function unsignedText({ signature: _signature, ...rest }: Receipt | KeyLine): string {
  return canonicalJson(rest as unknown as JsonValue);
}

/** The canonical text of a receipt with its signature. */
export function signedReceipt(receipt: Omit<Receipt, 'signature'>, key: KeyObject): string {
  const signature = signatureOf(key, canonicalJson(receipt as unknown as JsonValue)).toString('base64');
  return canonicalJson({ ...(receipt as unknown as Record<string, JsonValue>), signature });
}
