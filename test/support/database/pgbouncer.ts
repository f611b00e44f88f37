import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { serverUser } from '../../../src/db/embedded-user.ts';
import { freePort } from '../free-port.ts';
import { scratchFolder } from '../scratch.ts';

export type PgBouncer = { url: string; stop(): Promise<void> };

const PROGRAM = '/usr/sbin/pgbouncer';

/** True where a test can have a pooler. */
export const hasPgBouncer = existsSync(PROGRAM);
if (!hasPgBouncer) console.warn('skipped: tests behind PgBouncer need the Debian package pgbouncer');

/**
 * Starts a PgBouncer in front of a server. In transaction mode, unless stated, each transaction may get another of its two
 * connections.
 */
export async function startPgBouncer(
  server: { host?: string; port: number; url: string },
  { mode = 'transaction', size = 2 } = {},
): Promise<PgBouncer> {
  const folder = scratchFolder();
  const user = serverUser(null);
  const port = await freePort();
  const { pathname: database, username } = new URL(server.url);
  const settings = join(folder, 'pgbouncer.ini');
  writeFileSync(join(folder, 'users'), `"${username}" ""\n`);
  writeFileSync(
    settings,
    `[databases]
* = host=${server.host ?? '127.0.0.1'} port=${server.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${join(folder, 'users')}
pool_mode = ${mode}
default_pool_size = ${size}
server_login_retry = 1
`,
  );
  chownSync(folder, user.uid, user.gid);
  const child = spawn(PROGRAM, [settings], { ...user.switchTo, cwd: folder, stdio: 'ignore' });
  const url = `postgres://${username}@127.0.0.1:${port}${database}`;
  for (let isUp = false; !isUp; await sleep(20)) {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => {});
    isUp = await client.connect().then(
      () => true,
      () => false,
    );
    await client.end().catch(() => {});
    if (child.exitCode !== null) throw new Error('pgbouncer has ended');
  }
  return {
    url,
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGINT');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
