import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { makeCursor, readCursor, WINDOW } from '../../src/search/cursor.ts';

const sign = (text: string) => createHmac('sha256', 'secret').update(text).digest();
const DAY_MS = 24 * 3600 * 1000;

const made = fc.record({
  query: fc.string({ unit: 'binary' }),
  offset: fc.integer({ min: 1, max: WINDOW - 1 }),
  nowMs: fc.integer({ min: 0, max: 4e12 }),
});

describe('a cursor', () => {
  test('has its offset for a day', () => {
    fc.assert(
      fc.property(made, fc.integer({ min: 0, max: DAY_MS - 1000 }), ({ query, offset, nowMs }, laterMs) => {
        const cursor = makeCursor(sign, query, offset, nowMs);
        expect(cursor).toMatch(/^[\w-]{1,200}$/);
        expect(readCursor(sign, query, cursor, nowMs + laterMs)).toEqual({ offset });
      }),
    );
  });

  test('is too old after a day', () => {
    fc.assert(
      fc.property(made, ({ query, offset, nowMs }) => {
        const cursor = makeCursor(sign, query, offset, nowMs);
        expect(readCursor(sign, query, cursor, nowMs + DAY_MS + 1)).toEqual({ problem: 'expired' });
      }),
    );
  });

  test('is good to the end of its day, and not a millisecond longer', () => {
    const cursor = makeCursor(sign, 'q', 7, 5000);
    expect(readCursor(sign, 'q', cursor, 5000 + DAY_MS)).toEqual({ offset: 7 });
    expect(readCursor(sign, 'q', cursor, 5001 + DAY_MS)).toEqual({ problem: 'expired' });
  });

  test('that is not a cursor, or has something before or behind it, is malformed', () => {
    const inside = Buffer.from(makeCursor(sign, 'q', 7, 5000), 'base64url');
    const longer = [`!${inside}`, `${inside}!`].map((text) => Buffer.from(text).toString('base64url'));
    for (const text of ['', 'x', ...longer])
      expect(readCursor(sign, 'q', text, 5000)).toEqual({ problem: 'malformed' });
  });

  test('is foreign to every other query and to another secret', () => {
    const other = (text: string) => createHmac('sha256', 'other').update(text).digest();
    fc.assert(
      fc.property(made, fc.string({ unit: 'binary' }), ({ query, offset, nowMs }, another) => {
        const cursor = makeCursor(sign, query, offset, nowMs);
        expect(readCursor(other, query, cursor, nowMs)).toEqual({ problem: 'foreign' });
        fc.pre(another !== query);
        expect(readCursor(sign, another, cursor, nowMs)).toEqual({ problem: 'foreign' });
      }),
    );
  });

  test('is rejected after any change: of a letter, its content, its length, its spelling', () => {
    const letter = fc.constantFrom(...'ABCXYZabcxyz0189-_=+/. \n\0é');
    const tampered = fc.record({ made, at: fc.nat(), letter, how: fc.constantFrom('change', 'insert', 'drop', 'say') });
    fc.assert(
      fc.property(tampered, fc.string(), ({ made: { query, offset, nowMs }, at, letter, how }, text) => {
        const cursor = makeCursor(sign, query, offset, nowMs);
        const place = at % cursor.length;
        const changed = {
          change: () => cursor.slice(0, place) + letter + cursor.slice(place + 1),
          insert: () => cursor.slice(0, place) + letter + cursor.slice(place),
          drop: () => cursor.slice(0, place) + cursor.slice(place + 1),
          say: () => {
            const [, expiry, mac] = Buffer.from(cursor, 'base64url').toString().split('.');
            return Buffer.from(`${text}.${expiry}.${mac}`).toString('base64url');
          },
        }[how]();
        fc.pre(changed !== cursor);
        expect(readCursor(sign, query, changed, nowMs)).toHaveProperty('problem');
      }),
      { numRuns: 2000 },
    );
  });

  test('every other last letter is rejected, also one that decodes to the same bytes', () => {
    const cursor = makeCursor(sign, 'q', 12, 0);
    for (const letter of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_') {
      const changed = cursor.slice(0, -1) + letter;
      if (changed !== cursor) expect(readCursor(sign, 'q', changed, 0), letter).toHaveProperty('problem');
    }
  });

  test('of ours that points out of the window is reported', () => {
    for (const offset of [0, WINDOW, WINDOW + 1, 36 ** 6 - 1])
      expect(readCursor(sign, 'q', makeCursor(sign, 'q', offset, 0), 0), String(offset)).toEqual({
        problem: 'outside',
      });
  });

  test('any other text is rejected and none is a fault', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(readCursor(sign, 'q', text, 0)).toHaveProperty('problem');
      }),
    );
  });
});
