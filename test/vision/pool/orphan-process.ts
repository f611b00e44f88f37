/** A process whose photo decodes for minutes: prints the process id of the child, for tests that kill the parent. */
import { pino } from 'pino';
import { openVisionPool } from '../../../src/vision/pool/pool.ts';

// As it is built, next to this file.
const entry = new URL('./pool-worker.js', import.meta.url);
const pool = openVisionPool({ workers: 1, queue: 0, log: pino({ level: 'silent' }) }, entry);
const begun = (pid: number) => process.stdout.write(`${pid}\n`);
pool.run('decode', {} as never, { answers: { begun } }).catch(() => {});
