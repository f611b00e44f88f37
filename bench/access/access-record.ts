import { openSync, readFileSync, writeSync } from 'node:fs';
import type { Gate, Pass } from '../../src/http/gate.ts';

/** What happened to a budget in one process, by a clock that all processes of a machine share. */
export type Recorded = { atNs: number; what: 'admitted' | 'rejected'; units: number };

const WHAT = ['admitted', 'rejected'] as const;
const RECORD_BYTES = 13;

/** Writes what the gate decides to a file, at once, so that it outlives a `kill -9`. */
export function openRecorder(path: string): { gate(gate: Gate): Gate } {
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
