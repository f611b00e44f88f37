import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadPepper, pepperPath } from '../access/pepper.ts';
import { buildApp, openContext } from '../app.ts';
import type { Config } from '../config.ts';
import type { Db } from '../db/client.ts';
import { isFree } from '../db/listen.ts';
import { isConnectionLoss } from '../db/servers/connection-loss.ts';
import { openReads, type Reads } from '../db/servers/reads.ts';
import type { ServedPart } from '../http/parts/parts.ts';
import { within } from '../http/within.ts';
import { warmTiles } from '../indices/tiles.ts';
import { gamesOf } from '../items/games.ts';
import { serveMetrics } from '../ops/metrics/metrics-server.ts';
import { neededBy } from '../ops/ready.ts';
import { warmMovers } from '../pricing/read/movers.ts';
import { openSigner, originOf, recordKeyPath } from '../receipts/record-keys.ts';
import type { WebContext } from '../web/context.ts';
import { type CommandWorld, firstSignal, withWorld } from './world.ts';

/** Time for requests under way, then for closing connections and workers. */
const SHUTDOWN = { graceMs: 10_000, closeMs: 5_000 };
/** How long a process that is to stop goes on taking connections. */
const DRAIN_MS = 500;

/** How long a server that is not the only one prepares before it takes connections. */
const READY_WITHIN_MS = 120_000;

/** A reader waits no longer for one statement; 503 then says when to try again. */
const STATEMENT_WITHIN_MS = 2_000;
/** SQLSTATE of a statement that was ended for its time. */
const TOOK_TOO_LONG = '57014';
/** A restart of PostgreSQL usually takes less: requests are answered a little later instead of with 503. */
const CONNECT_WITHIN_MS = 5_000;

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
    { statementWithinMs: STATEMENT_WITHIN_MS, connectWithinMs: CONNECT_WITHIN_MS },
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

/**
 * Starts listening, at once or, next to another server, when it is ready; `closed` resolves when a signal has ended the server. After
 * that signal, and DRAIN_MS more for a SIGTERM, the process is killed if it has not ended within `graceMs` and `closeMs`.
 */
export async function startServer(
  world: CommandWorld & { only?: ServedPart | null },
  { graceMs, closeMs } = SHUTDOWN,
): Promise<{ address: string; closed: Promise<void> }> {
  const { db, log, only = null } = world;
  await expectFree(world.config);
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
  const stopping = firstSignal();
  const app = buildApp(context);
  const name = `serve ${only ?? 'all'}`;
  let metricsServer: Awaited<ReturnType<typeof serveMetrics>> | null = null;
  let address: string;
  try {
    const isServed = await isHeld(db, name);
    const ready = prepare(context);
    // A proxy sends the other server what this one does not accept yet, without a change of its settings.
    if (isServed) await Promise.race([within(READY_WITHIN_MS, ready), stopping]);
    if (context.metrics !== null && config.metricsPort !== 0)
      metricsServer = await serveMetrics(context, context.metrics);
    address = await app.listen({ host: config.host, port: config.port });
  } catch (error) {
    context.drain.isOn = true;
    metricsServer?.close();
    await app.close();
    await close();
    throw error;
  }
  await db.hold(name);
  const closed = stopping.then(async (signal) => {
    context.drain.isOn = true;
    // A load balancer that polls /ready sends its requests elsewhere; at a terminal there is no load balancer to wait for.
    if (signal === 'SIGTERM') await sleep(DRAIN_MS);
    await db.letGo(name);
    // Of the grace time, the last tenth is for answering those whose upload does not end.
    setTimeout(() => context.uploadRoom.close(), graceMs * 0.9).unref();
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

/** Whether another process serves the same. */
async function isHeld(db: Db, name: string): Promise<boolean> {
  const [row] = await db.query<{ free: boolean }>(`select ${isFree('$1')} as free`, [name]);
  return !row!.free;
}

/** Throws at once what listening would throw later, such as a port in use. */
async function expectFree({ host, port, metricsPort }: Config): Promise<void> {
  for (const one of metricsPort === 0 ? [port] : [port, metricsPort]) {
    const server = createServer().listen({ host, port: one });
    await once(server, 'listening');
    await new Promise((resolve) => server.close(resolve));
  }
}

/** Builds what requests need before the first of them does. What cannot be built is logged, and reported to requests. */
async function prepare({ db, drain, liveIndex, log, nearest, only, valuer, vision }: WebContext): Promise<void> {
  const needs = neededBy(only);
  const logAs = (message: string) => (error: Error & { code?: string }) => {
    if (drain.isOn) return;
    // The first visitors wait longer; nothing is wrong.
    const isSlow = error.code === TOOK_TOO_LONG || isConnectionLoss(error);
    if (isSlow) log.warn({ reason: error.message }, message);
    else log.error(error, message);
  };
  const warm = () => Promise.all([warmMovers(db), gamesOf(db), warmTiles(db)]).catch(logAs('pages cannot be warmed'));
  valuer.warm();
  if (only === null || only === 'photos') vision.warm();
  let warming: NodeJS.Timeout | undefined;
  // Closes come in runs: the last one counts.
  const warmAgain = () => {
    clearTimeout(warming);
    warming = setTimeout(warm, WARM_AFTER_MS).unref();
  };
  await Promise.all([
    warm(),
    db.listen('prices', warmAgain).catch(logAs('pages are not warmed after a close')),
    // Its own log has the reason.
    needs.search && liveIndex.built().catch(() => {}),
    needs.vectors && nearest.warm().catch(logAs('vectors cannot be loaded')),
  ]);
}
