import { realpath, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { Type } from 'typebox';
import type { Config } from '../config.ts';
import { endpoint } from '../http/endpoint.ts';
import { unavailable } from '../http/problem.ts';
import { within } from '../http/within.ts';

/** A probe that waits longer is itself an outage. */
const PROBE_TIMEOUT_MS = 2000;
/** PostgreSQL writes its log in pieces of 16 MB and stops when there is no room for one. */
const LEAST_FREE_BYTES = 64 * 2 ** 20;

export const health = endpoint({
  id: 'health',
  reads: 'primary',
  summary: 'Health: the process and its database answer, and there is room to write',
  response: Type.Object({
    ok: Type.Boolean(),
    db: Type.Boolean(),
    disk: Type.Boolean({ description: 'There is room on the disk of the data folder and the embedded database.' }),
    rateLimit: Type.Boolean({ description: 'Whether limits are on.' }),
    uptimeSeconds: Type.Integer(),
    closedDay: Type.Union([Type.String({ format: 'date' }), Type.Null()], {
      description: 'The newest day whose prices are closed (UTC).',
    }),
  }),
  maxAgeSeconds: 'no-store',
  policy: 'open',
  statuses: [503],
  async handle({ db, config }) {
    const probe = db.atOnce.query<{ day: string | null }>(
      `select to_char(date '1970-01-01' + closed_day, 'YYYY-MM-DD') as day from model_state`,
    );
    const answered = within(PROBE_TIMEOUT_MS, probe).catch(() => null);
    const [rows, disk] = await Promise.all([answered, hasRoom(config)]);
    if (rows === null || !disk) {
      const detail =
        rows === null ? 'The database does not answer.' : 'The disk is full: nothing is stored, and reads may fail.';
      throw unavailable(detail, 5, { ok: false, db: rows !== null, disk });
    }
    const body = {
      ok: true,
      db: true,
      disk,
      rateLimit: config.limits !== null,
      uptimeSeconds: Math.floor(process.uptime()),
      closedDay: rows[0]?.day ?? null,
    };
    return { body };
  },
});

/** Checks the disks of the data folder and of the embedded database, which root keeps elsewhere. */
async function hasRoom({ dataDir }: Config): Promise<boolean> {
  for (const folder of [dataDir, join(dataDir, 'postgres')]) {
    const stats = await realpath(folder)
      .then(statfs)
      .catch(() => null);
    if (stats !== null && Number(stats.bavail) * Number(stats.bsize) < LEAST_FREE_BYTES) return false;
  }
  return true;
}
