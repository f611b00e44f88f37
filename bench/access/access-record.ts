import { openSync, readFileSync, writeSync } from 'node:fs';
import type { QuotaBlock } from '../../src/access/quota-blocks.ts';
import type { Db } from '../../src/db/client.ts';
import type { Gate, Pass } from '../../src/http/gate.ts';

/**
 * What happened to a budget in one process, by the machine's clock: requests as the gate decided on them, `taken` units as
 * the database granted them.
 */
export type Recorded = { atMs: number; what: 'admitted' | 'rejected' | 'taken'; units: number };

const WHAT = ['admitted', 'rejected', 'taken'] as const;
const RECORD_BYTES = 13;

/** Writes what the gate decides and what the database grants to a file, at once, so that it outlives a `kill -9`. */
export function openRecorder(path: string): { gate(gate: Gate): Gate; db(db: Db): Db } {
  const file = openSync(path, 'a');
  function record(what: Recorded['what'], units = 1, atMs = performance.timeOrigin + performance.now()): void {
    const bytes = Buffer.alloc(RECORD_BYTES);
    bytes.writeDoubleLE(atMs, 0);
    bytes.writeUInt8(WHAT.indexOf(what), 8);
    bytes.writeInt32LE(units, 9);
    writeSync(file, bytes);
  }
  return {
    db: (db) => ({
      ...db,
      async prepared<Row extends object>(name: string, text: string, values?: readonly unknown[]) {
        const rows = await db.prepared<Row>(name, text, values);
        if (name === 'quota_take') {
          const { granted, day, endsInMs } = rows[0] as unknown as QuotaBlock;
          record('taken', granted, (day + 1) * 86_400_000 - endsInMs);
        }
        return rows;
      },
    }),
    gate: (gate) => ({
      visit: (request) => gate.visit(request),
      standings: (caller) => gate.standings(caller),
      enter(request, policy) {
        const rejected = (error: unknown): never => {
          record('rejected');
          throw error;
        };
        let pass: ReturnType<Gate['enter']>;
        try {
          pass = gate.enter(request, policy);
        } catch (error) {
          return rejected(error);
        }
        const admitted = (one: Pass): Pass => {
          record('admitted');
          return one;
        };
        return pass instanceof Promise ? pass.then(admitted, rejected) : admitted(pass);
      },
    }),
  };
}

/** In the order of their times. */
export function readRecords(path: string): Recorded[] {
  const bytes = readFileSync(path);
  return Array.from({ length: Math.floor(bytes.length / RECORD_BYTES) }, (_, i) => ({
    atMs: bytes.readDoubleLE(i * RECORD_BYTES),
    what: WHAT[bytes.readUInt8(i * RECORD_BYTES + 8)]!,
    units: bytes.readInt32LE(i * RECORD_BYTES + 9),
  })).sort((a, b) => a.atMs - b.atMs);
}

export function sumOf(records: readonly Recorded[], what: Recorded['what']): number {
  return records.reduce((sum, one) => sum + (one.what === what ? one.units : 0), 0);
}
