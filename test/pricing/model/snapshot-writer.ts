import { byteWriter } from '../../../src/lib/bytes.ts';
import type { CardState } from '../../../src/pricing/model/card.ts';
import { DEFAULT_PARAMS } from '../../../src/pricing/model/params.ts';
import { writeSnapshot } from '../../../src/pricing/store/snapshot-bytes.ts';

/** A card's snapshot as a close stores it, and the state in it as the record has it. */
export function encodedSnapshot(card: CardState): { bytes: Buffer; state: string } {
  const writer = byteWriter();
  const state = writeSnapshot(writer, card, DEFAULT_PARAMS);
  return { bytes: writer.take(), state };
}
