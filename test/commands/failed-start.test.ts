import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { folderOfRun } from '../support/database/run-folder.ts';
import { runProgram } from '../support/program.ts';

let fresh: FreshDatabase;
let proxy: Server;
beforeAll(async () => {
  fresh = await freshDatabase();
  const { host, port = 5432 } = fresh.connection;
  // Loses the connection on which a process that has opened most of its parts begins to listen.
  proxy = createServer((client) => {
    const server = connect(`${host}/.s.PGSQL.${port}`);
    const lose = () => {
      client.destroy();
      server.destroy();
    };
    client.on('data', (bytes) => (/listen "?sales/i.test(bytes.toString('latin1')) ? lose() : server.write(bytes)));
    server.on('data', (bytes) => client.write(bytes));
    for (const socket of [client, server]) socket.on('error', lose).on('close', lose);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  proxy.close();
  await fresh.close();
});

test('a serve that loses its connection while it starts ends with 4: nothing it has opened keeps the process', async () => {
  const { user, database } = fresh.connection;
  const { port } = proxy.address() as { port: number };
  const { code, errors } = await runProgram(['serve'], {
    DATABASE_URL: `postgres://${user}@127.0.0.1:${port}/${database}`,
    MINTMARK_DATA: join(folderOfRun(), 'data'),
    PORT: '0',
  });
  expect(errors).toContain('The connection to the database was lost');
  expect(errors).not.toContain('"serving"');
  expect(code).toBe(4);
});
