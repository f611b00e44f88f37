import { countOpenSuspects } from '../audit/suspect-store.ts';
import type { Connections } from '../connections.ts';
import type { Sql } from '../db/client.ts';
import { countUnmatched } from '../sales/import/waiting.ts';
import { countRejected } from '../sales/rejected.ts';
import { isFailing, readFailingFiles, readServices } from './failing.ts';
import { countDoubted } from './suspects.ts';

/** How much waits for a person, by section; none is counted beyond `MOST_COUNTED`. */
export type DeskCounts = Record<
  'unmatched' | 'suspects' | 'identities' | 'reports' | 'applications' | 'rejected' | 'failing',
  number
>;

export const MOST_COUNTED = 1000;

export async function deskCounts(
  sql: Sql,
  connections: Pick<Connections, 'sources' | 'graders'>,
  nowMs: number,
): Promise<DeskCounts> {
  const open = await sql.query<{ kind: string; count: number }>(
    `select kind, count(*)::int as count from submissions where state = 'open' group by kind`,
  );
  const openOf = (kind: string) => open.find((row) => row.kind === kind)?.count ?? 0;
  const [services, files] = await Promise.all([
    readServices(sql, connections, nowMs),
    readFailingFiles(sql, connections),
  ]);
  return {
    unmatched: await countUnmatched(sql, MOST_COUNTED),
    suspects: await countDoubted(sql, MOST_COUNTED),
    identities: await countOpenSuspects(sql, MOST_COUNTED),
    reports: openOf('report'),
    applications: openOf('application'),
    rejected: await countRejected(sql, MOST_COUNTED),
    failing: services.filter(isFailing).length + files.length,
  };
}
