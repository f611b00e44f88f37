import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runMigrations } from 'graphile-worker';
import type pg from 'pg';
import type { TestProject } from 'vitest/node';
import { openDb } from '../../../src/db/client.ts';
import { startEmbedded } from '../../../src/db/embedded.ts';
import { migrate } from '../../../src/db/migrate.ts';
import { buildProgram } from '../built-program.ts';
import { scratchFolder, sweepScratch } from '../scratch.ts';
import { closeTemplate, distributeTemplate, joinNodes, nodesOf } from './citus.ts';
import { statement, withDatabase } from './database-server.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The server of this run, and its migrated database that fresh ones are copied from. */
    testServer: { connection: pg.ClientConfig; template: string; nodes: pg.ClientConfig[] };
    /** The program, built from the sources of this run. */
    program: string;
  }
}

/** One server for the run (or DATABASE_URL, or the cluster of CITUS_URL), with a template database that is migrated once, and the program built once. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  if (!process.env.DATABASE_URL) sweepScratch();
  const built = scratchFolder(tmpdir());
  const building = buildProgram(built);
  building.catch(() => {});
  const server = await startServer();
  const template = `mintmark_test_${process.pid}`;
  const citus = process.env.CITUS_URL;
  const nodes = citus ? await nodesOf(citus) : [server.connection];
  try {
    project.provide('program', await building);
    for (const node of nodes) await statement(node, `create database ${template} template template0`);
    if (citus) await joinNodes(nodes, template);
    const db = openDb({ connection: withDatabase(server.connection, template), poolSize: 1 });
    const jobs = db.openPool(1);
    await migrate(db);
    await runMigrations({ pgPool: jobs });
    await jobs.end();
    if (citus) await distributeTemplate(db);
    await db.close();
    if (citus) await closeTemplate(nodes, template);
  } catch (error) {
    await server.stop();
    throw error;
  }
  project.provide('testServer', { connection: server.connection, template, nodes });
  return async () => {
    for (const node of nodes) await statement(node, `drop database if exists ${template} with (force)`);
    await server.stop();
    rmSync(built, { recursive: true, force: true });
  };
}

/** Three files run at once, each with several apps and their pools; on a busy machine the usual 100 ran out. */
const MOST_CONNECTIONS = 300;

async function startServer(): Promise<{ connection: pg.ClientConfig; stop(): Promise<void> }> {
  const url = process.env.CITUS_URL || process.env.DATABASE_URL;
  if (url) return { connection: { connectionString: url }, stop: async () => {} };
  const folder = scratchFolder();
  const log = { info: () => {}, warn: (message: string) => console.warn(message) };
  const start = () => startEmbedded({ folder: join(folder, 'postgres'), log, durable: false });
  const first = await start();
  await statement(first.connection, `alter system set max_connections = ${MOST_CONNECTIONS}`);
  await first.stop();
  const server = await start();
  return {
    connection: server.connection,
    async stop() {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
