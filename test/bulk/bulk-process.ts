/** A process that makes bulk files, which a test kills. Arguments: connection, folder. It says when it begins. */
import type pg from 'pg';
import { makeBulk } from '../../src/bulk/make-bulk.ts';
import { openDb } from '../../src/db/client.ts';
import { OPTIONS } from './bulk-options.ts';

const [connection, folder] = process.argv.slice(2);
const db = openDb({ connection: JSON.parse(connection!) as pg.ClientConfig, poolSize: 2 });
process.stdout.write('begun\n');
await makeBulk({ ...OPTIONS, db, folder: folder! });
await db.close();
