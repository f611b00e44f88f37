import { readBackupState } from '../../backup/backup-log.ts';
import { serviceHealth } from '../../http/outbound/service-client-state.ts';
import { freshnessOf, newestSaleAt } from '../../sales/freshness.ts';
import type { WebContext } from '../context.ts';

/** A connected service in words. */
export type ServiceState = { name: string; words: string; lastSuccessAt: Date | null };

export type StatusOfService = Awaited<ReturnType<typeof readStatus>>;

/** How fresh everything is that the pages show. */
export async function readStatus({ db, config, clock, freshness: memory }: WebContext) {
  const nowMs = clock();
  const { graders, sources } = config.connections;
  const [newest, freshness, [jobs], health, backup] = await Promise.all([
    newestSaleAt(db),
    freshnessOf(db, memory, nowMs),
    db.prepared<{ closedDay: string | null; closedAt: Date | null; importedAt: Date | null; catalogAt: Date | null }>(
      'status_page',
      `select (select to_char(date '1970-01-01' + closed_day, 'YYYY-MM-DD') from model_state) as "closedDay",
         (select closed_at from model_state) as "closedAt",
         (select max(finished_at) from imports where kind in ('sales', 'listings')) as "importedAt",
         (select max(finished_at) from imports where kind = 'catalog') as "catalogAt"`,
    ),
    serviceHealth(
      db,
      [...graders, ...sources].map(({ id }) => id),
      nowMs,
    ),
    readBackupState(db, config.backups?.folder ?? null),
  ]);
  const services = [...graders, ...sources].map(({ id, name }): ServiceState => {
    const known = health.get(id);
    if (known === undefined) return { name, words: 'Not called yet', lastSuccessAt: null };
    const isFailing = (known.lastFaultAtMs ?? 0) > (known.lastSuccessAtMs ?? 0);
    const lastSuccessAt = known.lastSuccessAtMs === null ? null : new Date(known.lastSuccessAtMs);
    if (known.paused) return { name, words: 'Paused by the operator', lastSuccessAt };
    return { name, words: isFailing ? 'Its last call failed' : 'Working', lastSuccessAt };
  });
  return { nowMs, newestSaleAt: newest, ...freshness, ...jobs!, backup, services };
}
