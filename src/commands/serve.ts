import { setTimeout as sleep } from 'node:timers/promises';
import { loadPepper, pepperPath } from '../access/pepper.ts';
import { buildApp, openContext } from '../app.ts';
import type { Config } from '../config.ts';
import { openReads, type Reads } from '../db/servers/reads.ts';
import type { ServedPart } from '../http/parts/parts.ts';
import { warmTiles } from '../indices/tiles.ts';
import { gamesOf } from '../items/games.ts';
import { serveMetrics } from '../ops/metrics/metrics-server.ts';
import { neededBy } from '../ops/ready.ts';
import { warmMovers } from '../pricing/read/movers.ts';
import { openSigner, originOf, recordKeyPath } from '../receipts/record-keys.ts';
import { type CommandWorld, firstSignal, withWorld } from './world.ts';

/** Time for requests under way, then for closing connections and workers. */
const SHUTDOWN = { graceMs: 10_000, closeMs: 5_000 };
/** How long a process that is to stop goes on taking connections. */
const DRAIN_MS = 500;

/** A reader waits no longer for one statement; 503 then says when to try again. */
const STATEMENT_WITHIN_MS = 2_000;

/** What pages show of every card is computed so long after the last of a run of closes. */
const WARM_AFTER_MS = 500;

/** `mintmark serve`: answers until it receives a signal to stop, then finishes what it has begun. */
export async function serve(config: Config, only: ServedPart | null = null): Promise<void> {
  await withWorld(
    async (world) => {
      const { address, closed } = await startServer({ ...world, only });
      world.log.info({ address, ...(only && { only }) }, 'serving');
      await closed;
    },
    config,
    STATEMENT_WITHIN_MS,
  );
}

/** A database with the demo in it says so wherever the service names itself. */
export async function saySimulated({ config, db }: CommandWorld): Promise<Config> {
  const demos = await db.query(`select 1 from imports where kind = 'demo' limit 1`);
  return demos.length === 0
    ? config
    : { ...config, isDemo: true, serviceName: `${config.serviceName} (simulated sales)` };
}

/** The replicas that the settings name; null for none. */
function openReplicas({ config, db, log }: CommandWorld): Reads | null {
  const { readDatabaseUrls: urls, replicaLagSeconds: lagSeconds, dbPoolSize: poolSize } = config;
  if (urls.length === 0) return null;
  return openReads(db, { urls, lagSeconds, poolSize, statementWithinMs: STATEMENT_WITHIN_MS, log });
}

/** Starts listening; `closed` resolves when a signal has ended the server. The process ends within the times of `shutdown`. */
export async function startServer(
  world: CommandWorld & { only?: ServedPart | null },
  { graceMs, closeMs } = SHUTDOWN,
): Promise<{ address: string; closed: Promise<void> }> {
  const { db, log, only = null } = world;
  const config = await saySimulated(world);
  const pepper = await loadPepper(db, pepperPath(config));
  const signer = await openSigner(db, recordKeyPath(config), originOf(config.baseUrl));
  const reads = openReplicas(world);
  const { context, close: closeContext } = await openContext({
    config,
    db,
    ...(reads && { reads }),
    only,
    log,
    pepper,
    signer,
  }).catch(async (error: unknown) => {
    // Their connections would keep the process.
    await reads?.close();
    throw error;
  });
  const close = async () => {
    await closeContext();
    await reads?.close();
  };
  const app = buildApp(context);
  let metricsServer: Awaited<ReturnType<typeof serveMetrics>> | null = null;
  let address: string;
  try {
    if (context.metrics !== null && config.metricsPort !== 0)
      metricsServer = await serveMetrics(context, context.metrics);
    address = await app.listen({ host: config.host, port: config.port });
  } catch (error) {
    metricsServer?.close();
    await app.close();
    await close();
    throw error;
  }
  // Built before the first search needs it; errors are logged, and reported to searches.
  const needs = neededBy(only);
  if (needs.search) context.liveIndex.built().catch(() => {});
  if (needs.vectors)
    context.nearest.warm().catch((error: unknown) => {
      if (!context.drain.isOn) log.error(error, 'vectors cannot be loaded');
    });
  context.valuer.warm();
  const warm = () =>
    Promise.all([warmMovers(context.db), gamesOf(context.db), warmTiles(context.db)]).catch((error: unknown) => {
      if (!context.drain.isOn) log.error(error, 'pages cannot be warmed');
    });
  void warm();
  let warming: NodeJS.Timeout | undefined;
  // Closes come in runs: the last one counts.
  await context.db.listen('prices', () => {
    clearTimeout(warming);
    warming = setTimeout(warm, WARM_AFTER_MS).unref();
  });
  if (only === null || only === 'photos') context.vision.warm();
  const closed = firstSignal().then(async (signal) => {
    context.drain.isOn = true;
    // A load balancer that polls /ready sends its requests elsewhere; at a terminal there is no load balancer to wait for.
    if (signal === 'SIGTERM') await sleep(DRAIN_MS);
    // A client that never finishes must not keep the process: connections are cut after the grace time.
    setTimeout(() => app.server.closeAllConnections(), graceMs).unref();
    // An exit waits for native code that has begun, such as a name lookup without an answer; a signal does not.
    setTimeout(() => {
      log.error('something does not end: the process is killed');
      process.kill(process.pid, 'SIGKILL');
    }, graceMs + closeMs).unref();
    await app.close();
    metricsServer?.close();
    await close();
  });
  return { address, closed };
}
