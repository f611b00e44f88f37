/** A process that closes its pool while a task runs, with nothing else to keep it alive: prints what came of it. */
import { pino } from 'pino';
import { openVisionPool } from '../../../src/vision/pool/pool.ts';

// As it is built, next to this file.
const entry = new URL('./pool-worker.js', import.meta.url);
const pool = openVisionPool({ workers: 1, queue: 0, log: pino({ level: 'silent' }) }, entry);
await new Promise((begun) => {
  pool.run('spin' as never, {} as never, { answers: { begun } }).catch(() => {});
});
await pool.close();
process.stdout.write('closed\n');
