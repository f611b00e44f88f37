import { openSync, readFileSync, writeSync } from 'node:fs';
import type { Db } from '../src/db/client.ts';
import type { Gate, Pass } from '../src/http/gate.ts';

/** What happened to a budget in one process, by a clock that all processes of a machine share. */
export type Recorded = { atNs: number; what: 'admitted' | 'refused' | 'leased' | 'returned'; units: number };

const WHAT = ['admitted', 'refused', 'leased', 'returned'] as const;
const RECORD_BYTES = 13;

/** Writes what the gate decides and what is leased to a file, at once, so that it outlives a `kill -9`. */
export function openRecorder(path: string): { gate(gate: Gate): Gate; db(db: Db): Db } {
  const file = openSync(path, 'a');
  function record(what: Recorded['what'], units = 1): void {
    const bytes = Buffer.alloc(RECORD_BYTES);
    bytes.writeDoubleLE(Number(process.hrtime.bigint()), 0);
    bytes.writeUInt8(WHAT.indexOf(what), 8);
    bytes.writeInt32LE(units, 9);
    writeSync(file, bytes);
  }
  return {
    gate: (gate) => ({
      visit: (request) => gate.visit(request),
      standings: (caller) => gate.standings(caller),
      enter(request, policy) {
        const refused = (error: unknown): never => {
          record('refused');
          throw error;
        };
        let pass: ReturnType<Gate['enter']>;
        try {
          pass = gate.enter(request, policy);
        } catch (error) {
          return refused(error);
        }
        const admitted = (one: Pass): Pass => {
          record('admitted');
          return one;
        };
        return pass instanceof Promise ? pass.then(admitted, refused) : admitted(pass);
      },
    }),
    db: (db) => ({
      ...db,
      async prepared<Row extends object>(name: string, text: string, values?: readonly unknown[]) {
        const rows = await db.prepared<Row>(name, text, values);
        if (name === 'quota_lease') record('leased', (rows[0] as { granted?: number } | undefined)?.granted ?? 0);
        return rows;
      },
      async query<Row extends object>(text: string, values?: readonly unknown[]) {
        const rows = await db.query<Row>(text, values);
        if (text.startsWith('update quota_leases'))
          record(
            'returned',
            (values![3] as number[]).reduce((sum, one) => sum + one, 0),
          ); // prettier-ignore
        return rows;
      },
    }),
  };
}

export function readRecords(path: string): Recorded[] {
  const bytes = readFileSync(path);
  return Array.from({ length: Math.floor(bytes.length / RECORD_BYTES) }, (_, i) => ({
    atNs: bytes.readDoubleLE(i * RECORD_BYTES),
    what: WHAT[bytes.readUInt8(i * RECORD_BYTES + 8)]!,
    units: bytes.readInt32LE(i * RECORD_BYTES + 9),
  }));
}

export function sumOf(records: readonly Recorded[], what: Recorded['what']): number {
  return records.reduce((sum, one) => sum + (one.what === what ? one.units : 0), 0);
}
