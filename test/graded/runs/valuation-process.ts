/**
 * A server process that a test can kill: serves the app on a free port and prints it. Arguments: connection, environment
 * of the configuration.
 */

import type { AddressInfo } from 'node:net';
import type { ClientConfig } from 'pg';
import { pino } from 'pino';
import { buildApp, openContext } from '../../../src/app.ts';
import { readConfig } from '../../../src/config.ts';
import { openDb } from '../../../src/db/client.ts';
import { testSigner } from '../../support/signer.ts';

const [connection, env] = process.argv.slice(2);
const config = readConfig({ LOG_LEVEL: 'silent', LIMITS: 'off', ...(JSON.parse(env!) as Record<string, string>) });
const db = openDb({ connection: JSON.parse(connection!) as ClientConfig, poolSize: 8 });
const { context } = await openContext({
  config,
  db,
  log: pino({ level: 'silent' }),
  pepper: Buffer.alloc(32, 7),
  signer: testSigner(),
});
const app = buildApp(context);
await app.listen({ host: '127.0.0.1', port: 0 });
process.stdout.write(`${(app.server.address() as AddressInfo).port}\n`);
