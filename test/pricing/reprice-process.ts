/** A process that closes days and says which, so that a test can kill it in the middle. Arguments: connection, last day. */
import type pg from 'pg';
import { openDb } from '../../src/db/client.ts';
import { reprice } from '../../src/pricing/reprice.ts';

const [connection, through] = process.argv.slice(2);
const db = openDb({ connection: JSON.parse(connection!) as pg.ClientConfig, poolSize: 2 });
await reprice(db, { through: Number(through), onProgress: ({ day }) => process.stdout.write(`${day}\n`) });
await db.close();
