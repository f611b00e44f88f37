import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { type Logger, pino } from 'pino';
import { loadPepper, pepperPath } from '../access/pepper.ts';
import { buildApp, openContext } from '../app.ts';
import { readConfig } from '../config.ts';
import { mcpServer } from '../mcp/mcp-server.ts';
import { ownApi } from '../mcp/own-api.ts';
import { remoteApi } from '../mcp/remote-api.ts';
import type { ToolApi } from '../mcp/tool.ts';
import { openSigner, originOf, recordKeyPath } from '../receipts/record-keys.ts';
import { saySimulated } from './serve.ts';
import { CommandError, EXIT, firstSignal, withWorld } from './world.ts';

/** A reader waits no longer for one statement. */
const STATEMENT_WITHIN_MS = 10_000;
/** How long a first search waits for its index: nobody else waits behind it. */
const PATIENCE_MS = 45_000;

/**
 * `mintmark mcp`: answers one client over standard input and output until it closes its end, or a signal. With `--url` it calls
 * an installation elsewhere; else it reads the operator's own database, without budgets.
 */
export async function mcpCommand({ url }: { url?: string }): Promise<void> {
  const config = readConfig();
  const log = pino({ level: config.logLevel }, pino.destination({ dest: 2, sync: true }));
  if (url !== undefined) return serveClient(remoteApi(installationOf(url), config.mcpKey), 'Mintmark', log);
  await withWorld(
    async (world) => {
      const { db, log } = world;
      const config = { ...(await saySimulated(world)), limits: null };
      const pepper = await loadPepper(db, pepperPath(config));
      const signer = await openSigner(db, recordKeyPath(config), originOf(config.baseUrl));
      const { context, close } = await openContext({ config, db, log, pepper, signer });
      context.liveIndex.patienceMs = PATIENCE_MS;
      context.liveTitles.patienceMs = PATIENCE_MS;
      // It does not listen: tools call its routes in this process.
      const app = buildApp(context);
      await app.ready();
      context.liveIndex.built().catch(() => {});
      const onBehalf = { headers: {}, remoteAddress: '127.0.0.1', signal: app.shutdownSignal };
      try {
        await serveClient(ownApi(app, config.baseUrl, onBehalf), config.serviceName, log);
      } finally {
        await app.close();
        await close();
      }
    },
    config,
    { statementWithinMs: STATEMENT_WITHIN_MS },
  );
}

async function serveClient(api: ToolApi, name: string, log: Logger): Promise<void> {
  const left = new Promise<void>((resolve) => process.stdin.once('close', resolve).once('end', resolve));
  const served = serveStdio(() => mcpServer(api, { name, log }), {
    maxSubscriptions: 1,
    onerror: (error) => log.debug({ error }, 'an MCP message was rejected'),
  });
  await Promise.race([left, firstSignal()]);
  await served.close();
}

/** The address of an installation, without a slash at the end. Throws CommandError for what is not an address. */
function installationOf(url: string): string {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new CommandError('--url takes the http or https address of an installation', EXIT.usage);
  return url.replace(/[?#].*$/, '').replace(/\/+$/, '');
}
