/**
 * A process that holds an embedded server, for tests: `embedded-holder.ts <folder>` starts or attaches, adds a row,
 * prints one line of JSON (a `Held` or a `Failed`), and stops when its input ends.
 */
import { statSync } from 'node:fs';
import { openDb } from '../../../src/db/client.ts';
import { startEmbedded } from '../../../src/db/embedded.ts';
import { findPostmaster } from '../../../src/db/embedded-postmaster.ts';

/** What a holder reports once its server answers; `visits` counts every holder the database ever had. */
export type Held = {
  visits: number;
  dataDirectory: string;
  listenAddresses: string;
  socketFolder: string;
  serverPid: number;
  serverUid: number;
};
export type Failed = { error: string; message: string };

async function hold(folder: string): Promise<void> {
  const warnings = { info: () => {}, warn: (message: string) => console.error(message) };
  const { connection, stop } = await startEmbedded({ folder, log: warnings, durable: false });
  const db = openDb({ connection, poolSize: 1 });
  const [row] = await db.transaction(async (session) => {
    await session.query('select pg_advisory_xact_lock(1)');
    await session.query('create table if not exists visits (pid int)');
    await session.query('insert into visits values ($1)', [process.pid]);
    return session.query<{ visits: number; dataDirectory: string; listenAddresses: string }>(
      `select count(*)::int as visits, current_setting('data_directory') as "dataDirectory",
         current_setting('listen_addresses') as "listenAddresses" from visits`,
    );
  });
  await db.close();
  const serverPid = findPostmaster(row!.dataDirectory)!.pid;
  const held: Held = {
    ...row!,
    socketFolder: connection.host!,
    serverPid,
    serverUid: statSync(`${row!.dataDirectory}/PG_VERSION`).uid,
  };
  console.log(JSON.stringify(held));
  for await (const _ of process.stdin);
  await stop();
}

try {
  await hold(process.argv[2]!);
} catch (error) {
  const failed: Failed =
    error instanceof Error
      ? { error: error.name, message: error.message }
      : { error: 'unknown', message: String(error) };
  console.log(JSON.stringify(failed));
}
