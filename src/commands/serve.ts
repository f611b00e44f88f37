import { join } from 'node:path';
import { loadPepper } from '../access/pepper.ts';
import { buildApp, openContext } from '../app.ts';
import type { Config } from '../config.ts';
import { liveIndex } from '../search/live.ts';
import { type World, withWorld } from './world.ts';

const SHUTDOWN_GRACE_MS = 10_000;

/** `mintmark serve`: answers until it is told to stop, then finishes what it has begun. */
export async function serve(): Promise<void> {
  await withWorld(async (world) => {
    const { address, closed } = await startServer(world);
    world.log.info({ address }, 'serving');
    await closed;
  });
}

/** A database with the demo in it says so wherever the service names itself. */
async function saySimulated({ config, db }: World): Promise<Config> {
  const demos = await db.query(`select 1 from imports where kind = 'demo' limit 1`);
  return demos.length === 0
    ? config
    : { ...config, isDemo: true, serviceName: `${config.serviceName} (simulated sales)` };
}

/** Where the installation keeps what its key hashes are made with. */
export function pepperPath(config: Config): string {
  return join(config.dataDir, 'key-pepper');
}

/** Starts listening; `closed` resolves when a signal has ended the server. */
export async function startServer(world: World): Promise<{ address: string; closed: Promise<void> }> {
  const { db, log } = world;
  const config = await saySimulated(world);
  const { context, close } = await openContext({ config, db, log, pepper: await loadPepper(pepperPath(config)) });
  // Built while nobody waits for it yet; what goes wrong is logged, and told to who searches.
  liveIndex(context)
    .current()
    .catch(() => {});
  context.nearest.warm().catch((error: unknown) => log.error(error, 'vectors cannot be loaded'));
  context.valuer.warm();
  const app = buildApp(context);
  const address = await app.listen({ host: config.host, port: config.port });
  const closed = new Promise<void>((resolve) => {
    const stop = () => {
      // A client that never finishes must not keep the process: connections are cut after the grace time.
      setTimeout(() => app.server.closeAllConnections(), SHUTDOWN_GRACE_MS).unref();
      void app.close().then(close).finally(resolve);
    };
    process.once('SIGTERM', stop);
    process.once('SIGINT', stop);
  });
  return { address, closed };
}
