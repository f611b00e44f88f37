import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Reads } from '../../db/servers/reads.ts';
import { whyUnreadable } from '../../files.ts';
import type { Core, Metrics } from '../../http/context.ts';
import type { VisionContext } from '../../vision/context.ts';
import { type Figures, figuresOf } from './figures.ts';

/** Seconds. */
const BUCKETS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
/** Several scrapers share one reading of the database. */
const FIGURES_FOR_MS = 10_000;

/** Opens the metrics of a server; nothing is read before the first scrape. */
export function openMetrics(
  context: Pick<Core, 'db' | 'reads' | 'config' | 'clock'> & Pick<VisionContext, 'vision'>,
): Metrics {
  const { vision, clock, reads, config } = context;
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const durations = new Histogram({
    name: 'mintmark_http_request_duration_seconds',
    help: 'Time to answer a request, by the pattern of its route.',
    labelNames: ['route', 'method', 'status'],
    buckets: BUCKETS,
    registers,
  });
  new Gauge({
    name: 'mintmark_photos',
    help: 'Photos in this process, by state.',
    labelNames: ['state'],
    registers,
    collect() {
      for (const [state, count] of Object.entries(vision.load())) this.set({ state }, count);
    },
  });
  new Gauge({
    name: 'mintmark_data_folder_readable',
    help: 'Whether this process can read the data folder, which has the pictures and the bulk files.',
    registers,
    async collect() {
      this.set(Number((await whyUnreadable(config.dataDir)) === null));
    },
  });
  if (reads !== null) measureReplicas(reads, registers);
  let latest: { atMs: number; figures: Promise<Figures> } | null = null;
  const gauges = new Map<string, Gauge>();

  async function readFigures(): Promise<void> {
    const nowMs = clock();
    if (latest === null || nowMs - latest.atMs > FIGURES_FOR_MS) latest = { atMs: nowMs, figures: figuresOf(context) };
    const figures = await latest.figures.catch((error: unknown) => {
      latest = null;
      throw error;
    });
    for (const { name, help, labels, values } of figures) {
      let gauge = gauges.get(name);
      if (gauge === undefined) {
        gauge = new Gauge({ name: `mintmark_${name}`, help, labelNames: [...labels], registers });
        gauges.set(name, gauge);
      }
      gauge.reset();
      // Without a value the series is absent; a gauge without labels would be 0.
      if (values.length === 0) gauge.remove({});
      for (const { value, ...label } of values) gauge.set(label, value);
    }
  }

  return {
    observe: (route, method, status, seconds) => durations.observe({ route, method, status }, seconds),
    contentType: registry.contentType,
    async text() {
      await readFigures();
      return await registry.metrics();
    },
  };
}

/** Adds how far behind each replica is, and which servers answered the reads of this process. */
function measureReplicas(reads: Reads, registers: Registry[]): void {
  new Gauge({
    name: 'mintmark_replica_lag_seconds',
    help: 'How far a replica is behind, at most; absent where that is not known.',
    labelNames: ['replica'],
    registers,
    collect() {
      this.reset();
      for (const { name, lagMs } of reads.states()) if (lagMs !== null) this.set({ replica: name }, lagMs / 1000);
    },
  });
  new Gauge({
    name: 'mintmark_replica_used',
    help: 'Whether this process reads from the replica.',
    labelNames: ['replica'],
    registers,
    collect() {
      for (const { name, isUsed } of reads.states()) this.set({ replica: name }, Number(isUsed));
    },
  });
  new Gauge({
    name: 'mintmark_reads',
    help: 'Statements of routes and pages that only read, by the server that answered, since the start.',
    labelNames: ['server'],
    registers,
    collect() {
      for (const [server, count] of Object.entries(reads.counts())) this.set({ server }, count);
    },
  });
}
