import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import type { TestProject } from 'vitest/node';
import { openDb } from '../../src/db/client.ts';
import { startEmbedded } from '../../src/db/embedded.ts';
import { isAlive } from '../../src/db/embedded-postmaster.ts';
import { migrate } from '../../src/db/migrate.ts';
import { statement, withDatabase } from './database-server.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The server of this run, and its migrated database that fresh ones are copied from. */
    testServer: { connection: pg.ClientConfig; template: string };
  }
}

const FOLDER_PREFIX = 'mintmark-test-';

/** One server for the run (or DATABASE_URL), with a template database that is migrated once. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startServer();
  const template = `mintmark_test_${process.pid}`;
  await statement(server.connection, `drop database if exists ${template}`);
  await statement(server.connection, `create database ${template} template template0`);
  const db = openDb({ connection: withDatabase(server.connection, template), poolSize: 1 });
  await migrate(db);
  await db.close();
  project.provide('testServer', { connection: server.connection, template });
  return async () => {
    await statement(server.connection, `drop database if exists ${template} with (force)`);
    await server.stop();
  };
}

async function startServer(): Promise<{ connection: pg.ClientConfig; stop(): Promise<void> }> {
  const url = process.env.DATABASE_URL;
  if (url) return { connection: { connectionString: url }, stop: async () => {} };
  sweepKilledRuns();
  const folder = mkdtempSync(join(tmpdir(), `${FOLDER_PREFIX}${process.pid}-`));
  // As root the server runs as another user, who has to enter.
  chmodSync(folder, 0o755);
  const log = { info: () => {}, warn: (message: string) => console.warn(message) };
  const server = await startEmbedded({ folder: join(folder, 'postgres'), log, durable: false });
  return {
    connection: server.connection,
    async stop() {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Removes the folders of runs that were killed before they could. */
function sweepKilledRuns(): void {
  for (const name of readdirSync(tmpdir())) {
    const pid = name.startsWith(FOLDER_PREFIX) ? Number.parseInt(name.slice(FOLDER_PREFIX.length), 10) : Number.NaN;
    if (Number.isInteger(pid) && !isAlive(pid)) rmSync(join(tmpdir(), name), { recursive: true, force: true });
  }
}
