/**
 * A whole server that a test can signal: prints its port. Arguments: connection, data folder, times of its shutdown, and
 * `stuck` for native code of its own that takes minutes in all threads for such work.
 */
import type { ClientConfig } from 'pg';
import { pino } from 'pino';
import sharp from 'sharp';
import { startServer } from '../../src/commands/serve.ts';
import { readConfig } from '../../src/config.ts';
import { openDb } from '../../src/db/client.ts';
import { manyScans } from '../support/photos/hostile-images.ts';

const [connection, dataDir, shutdown, stuck] = process.argv.slice(2);
const config = readConfig({
  MINTMARK_DATA: dataDir!,
  PORT: '0',
  LIMITS: 'off',
  BASE_URL: 'https://prices.example',
  VISION_WORKERS: '1',
});
const db = openDb({ connection: JSON.parse(connection!) as ClientConfig, poolSize: 4 });
const world = { config, db, log: pino({ level: 'silent' }), connection: JSON.parse(connection!) as ClientConfig };
const { address, closed } = await startServer(world, JSON.parse(shutdown!));
if (stuck !== undefined) {
  const jpeg = await manyScans(300_000);
  for (let i = 0; i < 4; i++) void sharp(jpeg, { failOn: 'error' }).raw().toBuffer();
}
process.stdout.write(`${new URL(address).port}\n`);
await closed;
await db.close();
