import { hash } from 'node:crypto';
import { parseDay } from '../lib/day.ts';
import { MODEL_VERSION } from '../pricing/model/params.ts';
import { canonicalJson, type JsonValue } from './canonical-json.ts';
import type { CurveLine, DayLine, SnapshotLine } from './day-line.ts';
import { isIncluded, leafHash } from './merkle.ts';
import { PARAMETERS_TEXT } from './model-parameters.ts';
import { chainLeafText, type LineProof, type ProvedDay, type Receipt, unsignedText } from './receipt.ts';
import { type PriceLines, type PublishedPrice, recomputedPrice } from './recompute.ts';
import { type Checkpoint, isSignedBy, type NoteKey, openNote, parseBase64, parseCheckpoint } from './signed-note.ts';
import { check, trustedKeys, Unverified, verdictOf } from './trusted-keys.ts';

/**
 * What the check of a receipt found: both prices, or why there was none. `key` is the one that the trust begins with. A price that
 * is not the one of its lines is a mismatch, by its service (`isSigned`) or by anyone who changed it.
 */
export type ReceiptVerdict =
  | {
      isVerified: true;
      recomputed: PublishedPrice;
      published: PublishedPrice;
      isMatch: boolean;
      isSigned: boolean;
      key: string;
      day: string;
    }
  | { isVerified: false; because: string };

/**
 * Checks a receipt: keys, proofs, the price from its lines alone, then its own signature. `trustedKey` (`name+hash+base64`) must be one of
 * the keys that signed the record; where it is null, the receipt's own first key is taken at its word.
 */
export function verifyReceipt(text: string, trustedKey: string | null): ReceiptVerdict {
  return verdictOf('it is not a receipt', () => verify(text, trustedKey));
}

function verify(text: string, trustedKey: string | null): ReceiptVerdict {
  const receipt = JSON.parse(text) as Receipt;
  check(receipt?.receipt === 1, 'it is not a receipt');
  const keys = trustedKeys(receipt.keys, trustedKey);
  const head = checkpointOf(receipt.checkpoint, keys.all);
  const days = new Map(receipt.days.map((day) => [day.day, checkedDay(day, head)]));
  check(days.size === receipt.days.length, 'a day is stated twice');
  check(receipt.lines.length === receipt.proofs.length, 'it does not have a proof for each line');
  const lines = receipt.lines.map((line, i) => checkedLine(line, receipt.proofs[i]!, days));
  const price = priceLines(receipt, lines, head);
  const recomputed = recomputedPrice(price, receipt.gradeToken, receipt.day);
  const { published } = receipt;
  const isMatch = canonicalJson(published as JsonValue) === canonicalJson(recomputed as JsonValue);
  const signature = parseBase64(receipt.signature);
  const isSigned = signature !== null && isSignedBy(keys.all.at(-1)!.publicKey, unsignedText(receipt), signature);
  check(isSigned || !isMatch, 'its signature is wrong');
  return { isVerified: true, recomputed, published, isMatch, isSigned, key: keys.trusted, day: receipt.day };
}

function checkpointOf(note: string, keys: readonly NoteKey[]): Checkpoint {
  for (const key of keys) {
    const text = openNote(note, key);
    const head = text === null ? null : parseCheckpoint(text);
    if (head !== null) {
      check(head.origin === key.name, 'the checkpoint is of another record');
      return head;
    }
  }
  throw new Unverified('no key of the record has signed the checkpoint');
}

function bytesOf(hex: string): Buffer {
  check(/^[0-9a-f]{64}$/.test(hex), 'a hash does not read');
  return Buffer.from(hex, 'hex');
}

function checkedDay(day: ProvedDay, head: Checkpoint): ProvedDay {
  const leaf = leafHash(chainLeafText(day));
  check(isIncluded(leaf, day.index, head, day.path.map(bytesOf)), `${day.day} is not in the signed chain`);
  return day;
}

function checkedLine(
  line: string,
  { day, index, path }: LineProof,
  days: ReadonlyMap<string, ProvedDay>,
): RecordedLine {
  const { lines: size, root } = days.get(day) ?? { lines: 0, root: '' };
  const parsed = JSON.parse(line) as DayLine;
  check(canonicalJson(parsed as JsonValue) === line, 'a line is not canonical');
  check(
    isIncluded(leafHash(line), index, { size, root: bytesOf(root) }, path.map(bytesOf)),
    `a line is not in the record of ${day}`,
  );
  return { recorded: day, line: parsed };
}

type RecordedLine = { recorded: string; line: DayLine };

/** The lines of a price by their kind, each the one that it says it is, and none besides. */
function priceLines(receipt: Receipt, lines: readonly RecordedLine[], head: Checkpoint): PriceLines {
  const { day, gradeToken } = receipt;
  check(parseDay(day) !== null && typeof gradeToken === 'string', 'it is not a receipt');
  const last = receipt.days.find((one) => one.day === day);
  check(last?.index === head.size - 1, `the checkpoint is not that of ${day}`);
  const ofKind = <Kind extends DayLine['k']>(kind: Kind) =>
    lines.filter((one): one is { recorded: string; line: Extract<DayLine, { k: Kind }> } => one.line.k === kind);
  const onDay = <Kind extends 'day' | 'market' | 'calibration'>(kind: Kind) => {
    const found = ofKind(kind);
    check(found.length === 1 && found[0]!.recorded === day, `it does not have the ${kind} line of ${day}`);
    return found[0]!.line;
  };
  const header = onDay('day');
  check(header.day === day, 'the header is of another day');
  check(header.model === receipt.version, 'it states another version of the model than its header');
  check(header.parameters === hash('sha256', receipt.parameters, 'hex'), 'its parameters are not those of its header');
  check(
    header.model === MODEL_VERSION && receipt.parameters === PARAMETERS_TEXT,
    `version ${header.model} of the model computed it, and this program has version ${MODEL_VERSION}`,
  );
  const snapshots = ofKind('snapshot');
  const [snapshot] = snapshots;
  check(snapshots.length === 1 && snapshot!.line.item === receipt.item.id, 'it does not have the snapshot of its card');
  check(snapshot!.recorded <= day && snapshot!.line.day <= snapshot!.recorded, 'its snapshot is of a later day');
  const market = onDay('market');
  const { game, set } = snapshot!.line;
  check(market.game === game && receipt.item.game === game, 'its market is that of another game');
  const curves = ofKind('curve').map(({ recorded, line }) => curveOf(line, recorded, day, snapshot!.line));
  const [ofGame, ofSet] = [curves.filter((line) => line.set === null), curves.filter((line) => line.set === set)];
  check(ofGame.length <= 1 && ofSet.length <= 1, 'it has two curves');
  const used = 4 + curves.length;
  check(lines.length === used, 'it has lines that it does not need');
  check(
    receipt.days.every((one) => lines.some(({ recorded }) => recorded === one.day)),
    'it has days that it does not need',
  );
  return {
    market,
    calibration: onDay('calibration'),
    curve: ofGame[0] ?? null,
    setCurve: ofSet[0] ?? null,
    snapshot: snapshot!.line,
  };
}

function curveOf(line: CurveLine, recorded: string, day: string, { game, set }: SnapshotLine): CurveLine {
  check(line.game === game && (line.set === null || line.set === set), 'its curve is that of another game or set');
  check(recorded <= day && line.day <= recorded, 'its curve is of a later day');
  return line;
}
