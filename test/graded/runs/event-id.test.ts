import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { eventId, readEventId } from '../../../src/graded/runs/event-id.ts';

const keyed = (key: string) => (text: string) =>
  createHash('sha256')
    .update(key + text)
    .digest();
const ours = keyed('pepper');
const CERT = 'PSA 12345678';
const PLACE = { runId: 12_345, place: 3, isLast: false };

const place = fc.record({
  runId: fc.nat(36 ** 10),
  place: fc.nat(36 ** 4 - 1),
  isLast: fc.boolean(),
});

describe('the id of an event', () => {
  test('is read back as the place it was issued for', () => {
    fc.assert(
      fc.property(place, (one) => {
        const id = eventId(ours, CERT, one);
        expect(id).toMatch(/^[\w.~-]{20,40}$/);
        expect(readEventId(ours, CERT, id)).toEqual(one);
      }),
    );
  });

  test.each([
    ['another cert', ours, 'PSA 12345679'],
    ['the same number of another company', ours, 'CGC 12345678'],
    ['another installation', keyed('salt'), CERT],
  ] as const)('is not read for %s', (_, fingerprint, cert) => {
    expect(readEventId(fingerprint, cert, eventId(ours, CERT, PLACE))).toBeNull();
  });

  test('with any one character changed, added or left out is not read', () => {
    const id = eventId(ours, CERT, PLACE);
    for (let i = 0; i <= id.length; i++) {
      for (const sign of ['', 'a', 'B', '.', '~', '-', '0']) {
        for (const until of [i, i + 1]) {
          const changed = id.slice(0, i) + sign + id.slice(until);
          if (changed !== id) expect(readEventId(ours, CERT, changed), changed).toBeNull();
        }
      }
    }
  });

  test.each(['', '17', '~', 'x'.repeat(200), '9n9-3~', 'null'])('is not read from "%s"', (id) => {
    expect(readEventId(ours, CERT, id)).toBeNull();
  });
});
