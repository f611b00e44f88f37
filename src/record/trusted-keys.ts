import { type RecordKeys, unsignedText } from './receipt.ts';
import { isSignedBy, type NoteKey, parseBase64, parseKey } from './signed-note.ts';

/** Why something cannot be verified, in a few words. */
export class Unverified extends Error {}

export function check(condition: unknown, because: string): asserts condition {
  if (!condition) throw new Unverified(because);
}

/** What a check found, or why it could not; `otherwise`: of a text that is something else. */
export function verdictOf<Verdict>(
  otherwise: string,
  verify: () => Verdict,
): Verdict | { isVerified: false; because: string } {
  try {
    return verify();
  } catch (error) {
    if (error instanceof Unverified) return { isVerified: false, because: error.message };
    // What is missing or of another type shows where it is used.
    if (error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError)
      return { isVerified: false, because: otherwise };
    throw error;
  }
}

/** Every key of the record in order: each was announced under the one before; and the one that the trust begins with. Throws Unverified. */
export function trustedKeys(
  { first, rotations }: RecordKeys,
  trustedKey: string | null,
): { all: NoteKey[]; trusted: string } {
  const texts = [first];
  const all = [parseKey(first)];
  for (const line of rotations) {
    const signature = parseBase64(line.signature);
    const before = all.at(-1);
    check(
      line.k === 'key' && line.from === texts.at(-1) && before,
      'a change of the key does not follow the one before',
    );
    check(
      signature !== null && isSignedBy(before.publicKey, unsignedText(line), signature),
      'a change of the key is not signed',
    );
    texts.push(line.key);
    all.push(parseKey(line.key));
  }
  check(
    all.every((key) => key !== null),
    'a key does not read',
  );
  check(trustedKey === null || texts.includes(trustedKey), 'it is signed by other keys than the one given');
  return { all, trusted: trustedKey ?? first };
}
