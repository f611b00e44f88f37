import { readFileSync } from 'node:fs';
import type { Session } from './client.ts';
import { MIGRATIONS } from './migrate.ts';

/** Names of what the migrations make, without what belongs to a table, as migrations/schema.sql lists it. */
export function ownSchema(): { tables: string[]; sequences: string[]; functions: string[] } {
  const text = readFileSync(new URL('schema.sql', MIGRATIONS), 'utf8');
  const named = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, name]) => name!);
  return {
    tables: named(/^create table (\w+) \(/gm),
    sequences: named(/^create sequence (\w+) /gm),
    functions: named(/^CREATE OR REPLACE FUNCTION public\.(\w+)\(/gm),
  };
}

/** A regular expression: the schemas of prices that an earlier version of the model published. */
export const PAST_SCHEMA = '^prices_v[0-9]+(_[0-9]+)?$';

/** Drops everything that the migrations have made, and the schemas of published prices; other tables of the database stay. */
export async function dropOwnSchema(session: Session): Promise<void> {
  const { tables, sequences, functions } = ownSchema();
  const past = await session.query<{ name: string }>(
    `select nspname::text as name from pg_namespace where nspname ~ '${PAST_SCHEMA}'`,
  );
  for (const { name } of past) await session.query(`drop schema ${name} cascade`);
  await session.query(`drop table if exists ${tables.join(', ')} cascade`);
  await session.query(`drop sequence if exists ${sequences.join(', ')}`);
  await session.query(`drop function if exists ${functions.join(', ')}`);
}
