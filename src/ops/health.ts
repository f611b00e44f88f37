import { Type } from 'typebox';
import { endpoint } from '../http/endpoint.ts';
import { ProblemError } from '../http/problem.ts';

/** A probe that waits longer is itself an outage. */
const PROBE_TIMEOUT_MS = 2000;

export const health = endpoint({
  id: 'health',
  summary: 'Liveness: the process answers and its database does',
  response: Type.Object({
    ok: Type.Boolean(),
    db: Type.Boolean(),
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
    const probe = db.query<{ day: string | null }>(
      `select to_char(date '1970-01-01' + closed_day, 'YYYY-MM-DD') as day from model_state`,
    );
    const timeout = new Promise<null>((resolve) => setTimeout(resolve, PROBE_TIMEOUT_MS, null).unref());
    const rows = await Promise.race([probe.catch(() => null), timeout]);
    if (rows === null) {
      throw new ProblemError('unavailable', 'The database does not answer.', {
        extra: { ok: false, db: false },
        headers: { 'retry-after': '5' },
      });
    }
    const body = {
      ok: true,
      db: true,
      rateLimit: config.limits !== null,
      uptimeSeconds: Math.floor(process.uptime()),
      closedDay: rows[0]?.day ?? null,
    };
    return { body };
  },
});
