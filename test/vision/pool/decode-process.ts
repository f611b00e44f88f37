/** Decodes a PNG (base64) in a pool's child process to at most 120 px, and prints its size. */
import { pino } from 'pino';
import { openVisionPool } from '../../../src/vision/pool/pool.ts';

const bytes = Buffer.from(process.argv[2]!, 'base64');
const pool = openVisionPool({ workers: 1, queue: 0, log: pino({ level: 'silent' }) });
const { width, height } = await pool.run('decode', { bytes, maxSidePx: 120 });
console.log(JSON.stringify({ width, height }));
await pool.close();
