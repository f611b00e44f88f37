import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { inject } from 'vitest';
import { type Db, openDb } from '../../../src/db/client.ts';
import { statement, withDatabase } from './database-server.ts';

export type FreshDatabase = { db: Db; connection: pg.ClientConfig; close(): Promise<void> };

/** A database of its own with every migration applied and no rows. Call `close` in `afterAll`: it is dropped. */
export async function freshDatabase(): Promise<FreshDatabase> {
  const { template } = inject('testServer');
  return createDatabase(template);
}

/** A database of its own with nothing in it, for tests of the migrations themselves. */
export async function emptyDatabase(): Promise<FreshDatabase> {
  return createDatabase('template0');
}

async function createDatabase(template: string): Promise<FreshDatabase> {
  const server = inject('testServer');
  const name = `${server.template}_${randomBytes(5).toString('hex')}`;
  await Promise.all(server.nodes.map((node) => statement(node, `create database ${name} template ${template}`)));
  const connection = withDatabase(server.connection, name);
  const db = openDb({ connection, poolSize: 4 });
  return {
    db,
    connection,
    async close() {
      await db.close();
      await Promise.all(server.nodes.map((node) => statement(node, `drop database ${name} with (force)`)));
    },
  };
}
