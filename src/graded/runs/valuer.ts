import type { Logger } from 'pino';
import type { CertCompany, ReadCert } from '../../catalog/cert.ts';
import type { Config } from '../../config.ts';
import type { Db } from '../../db/client.ts';
import type { SaleSource } from '../../sales/sources/source.ts';
import type { TitleBook } from '../../sales/titles.ts';
import { keepMiss, OUTAGE_MS } from '../certs/keep.ts';
import { type StoredLookup, storedLookups } from '../certs/stored.ts';
import { openGraders } from '../graders/open-graders.ts';
import type { GradedLookup } from '../shapes.ts';
import { type LabelShelf, openLabelShelf } from '../slab/find-item.ts';
import { openRuns, type Runs } from './runs.ts';
import { value } from './valuation.ts';

/** Values certs of which too little is stored. */
export type Valuer = {
  runs: Runs;
  /** Identifies cards by their labels. */
  labels: LabelShelf;
  /** How long one request waits for a valuation. */
  wholeMs: number;
  /** The answer of what is stored, whether caches may keep it, and whether a valuation may find more. */
  stored(cert: ReadCert): Promise<Pick<StoredLookup, 'lookup' | 'settled' | 'recordedAt'> & { mayFindMore: boolean }>;
  /** The value of a cert of which too little is stored: waits for its valuation, as long as that may take. */
  waitFor(cert: ReadCert, signal: AbortSignal): Promise<GradedLookup>;
  /** The present answer for a cert, for a request whose time is over while its valuation goes on. */
  soFar(cert: ReadCert): Promise<GradedLookup>;
  /** Reads the catalog's labels before the first request needs them. */
  warm(): void;
  close(): Promise<void>;
};

type ValuerWorld = {
  config: Config;
  db: Db;
  log: Logger;
  clock: () => number;
  markets: readonly SaleSource[];
  titles: TitleBook;
};

/** Opens the graders and runs of a process. Throws ConfigError for a connection that cannot be used. */
export async function openValuer({ config, log, clock, markets, titles, ...given }: ValuerWorld): Promise<Valuer> {
  // A server's database has the memory of its prices already; a worker's does not.
  const db = { prices: {}, ...given.db };
  const graders = openGraders({ db, clock }, config.connections.graders);
  const wholeMs = config.valuationSeconds * 1000;
  const labels = await openLabelShelf(db);
  const { baseUrl } = config;
  const world = { db, log, clock, baseUrl, graders, markets, titles, labels, wholeMs };

  async function soFar(cert: ReadCert): Promise<GradedLookup> {
    const [stored] = await storedLookups({ db, clock }, [cert]);
    const { lookup } = stored!;
    const isOpen = !stored!.tracked || stored!.awaitsPrice;
    const warning = 'The valuation goes on; try again in some seconds.';
    return isOpen ? { ...lookup, grade: null, reason: 'compute_incomplete', warning } : lookup;
  }

  const runs = await openRuns({
    db,
    log,
    value: (cert, signal) => value(world, cert, signal),
    async givenUp(cert) {
      const warning = 'Its valuation failed; try again in some minutes.';
      await keepMiss(db, cert, { reason: 'compute_incomplete', warning, forMs: OUTAGE_MS }, clock());
      return soFar(cert);
    },
  });
  return {
    runs,
    labels,
    wholeMs,
    async stored(cert) {
      const [stored] = await storedLookups({ db, clock }, [cert]);
      const { lookup, settled, tracked, awaitsPrice, recordedAt } = stored!;
      if (tracked) return { lookup, settled, recordedAt, mayFindMore: awaitsPrice && markets.length > 0 };
      // The catalog may have the card of a registered cert by now.
      if (recordedAt !== null || graders.graderFor(cert.company as CertCompany) !== null)
        return { lookup, settled, recordedAt, mayFindMore: true };
      const warning = `No grader is connected for ${cert.company}.`;
      return { lookup: { ...lookup, warning }, settled, recordedAt, mayFindMore: false };
    },
    async waitFor(cert, signal) {
      for await (const { name, data } of runs.watch(cert, { forMs: wholeMs, signal }))
        if (name === 'result') return JSON.parse(data) as GradedLookup;
      return soFar(cert);
    },
    soFar,
    warm() {
      // Errors reach the callers that wait for them.
      if (graders.all.length > 0) labels().catch(() => {});
    },
    close: () => runs.close(),
  };
}
