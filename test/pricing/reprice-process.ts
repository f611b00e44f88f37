/**
 * A process that closes days and says which; at one of them it stops where it is, so that a test can kill it in the middle.
 * Arguments: connection, last day, the day to stop at.
 */
import type pg from 'pg';
import { openDb } from '../../src/db/client.ts';
import { reprice } from '../../src/pricing/reprice.ts';

const [connection, through, stopAt] = process.argv.slice(2);
const db = openDb({ connection: JSON.parse(connection!) as pg.ClientConfig, poolSize: 2 });
await reprice(db, { through: Number(through), onProgress: ({ day }) => onDay(day) });
await db.close();

function onDay(day: number): void {
  process.stdout.write(`${day}\n`);
  if (day >= Number(stopAt)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}
