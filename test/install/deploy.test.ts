import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readSettings } from '../../src/config.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { isRoot } from '../support/database/embedded-process.ts';
import { folderOfRun } from '../support/database/run-folder.ts';
import { databaseUrlOf, freePort, type Program, runProgram, startProgram, untilServing } from '../support/program.ts';

const deploy = (name: string) => fileURLToPath(new URL(`../../deploy/${name}`, import.meta.url));
const textOf = (name: string) => readFileSync(deploy(name), 'utf8');

/** True if the command is on this machine; else says which tests are skipped. */
function has(command: string): boolean {
  if (spawnSync('sh', ['-c', `command -v ${command}`]).status === 0) return true;
  console.warn(`skipped: tests of deploy/ that need ${command}`);
  return false;
}

type Service = { command?: string[]; environment?: Record<string, string>; volumes?: string[] };
type Compose = { services: Record<string, Service>; volumes?: Record<string, object> };

describe.each(['compose.yaml', 'compose.embedded.yaml', 'compose.several.yaml'])('%s', (name) => {
  const { services, volumes = {} } = parse(textOf(name), { merge: true }) as Compose;

  test('sets known settings only, runs known commands and declares its volumes', async () => {
    const known = readSettings({}).settings.list.map((setting) => setting.name);
    const help = (await runProgram(['--help'], {})).printed;
    for (const [service, { command, environment, volumes: mounted = [] }] of Object.entries(services)) {
      if (command !== undefined) {
        expect(help, service).toContain(`\n  ${command[0]} `);
        for (const setting of Object.keys(environment ?? {})) expect(known).toContain(setting);
      }
      for (const mount of mounted)
        if (!mount.startsWith('.')) expect(Object.keys(volumes)).toContain(mount.split(':')[0]);
    }
  });
});

test.skipIf(!has('systemd-analyze')).each(['mintmark@', 'mintmark-serve@'])('the systemd unit %s is valid', (name) => {
  // It checks that the program and the user exist, which they need not on this machine.
  const unit = join(folderOfRun(), `${name}.service`);
  const text = textOf(`${name}.service`)
    .replace('/usr/local/bin/mintmark', '/bin/true')
    .replace('=mintmark\n', '=root\n');
  writeFileSync(unit, text);
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', unit], { encoding: 'utf8' });
  expect(stderr.split('\n').filter((line) => line.includes(name))).toEqual([]);
  expect(status).toBe(0);
});

test.each(['mintmark@', 'mintmark-serve@'])('the systemd unit %s keeps the data folder from other users', (name) => {
  expect(textOf(`${name}.service`)).toMatch(/^StateDirectory=mintmark\nStateDirectoryMode=0700$/m);
});

test('the unit of more servers restricts them as the other one does', () => {
  const linesOf = (name: string) =>
    textOf(name)
      .split('\n')
      .filter((line) => !/^(#|Description=|Environment=|ExecStart=)/.test(line));
  expect(linesOf('mintmark-serve@.service')).toEqual(linesOf('mintmark@.service'));
});

describe.skipIf(!has('nginx'))('nginx.conf', () => {
  const folder = join(folderOfRun(), 'nginx');
  const stops: (() => void | Promise<void>)[] = [];
  afterAll(async () => {
    for (const stop of stops.reverse()) await stop();
  });

  /** nginx as an ordinary program in a folder of its own, with the block of deploy/ in front of these servers. */
  async function startNginx(upstreams: string[]): Promise<string> {
    const port = await freePort();
    for (const name of ['cache', 'body', 'proxy']) mkdirSync(join(folder, name), { recursive: true });
    chmodSync(folder, 0o777);
    const block = textOf('nginx.conf')
      .replace(
        'server serve:8080 max_fails=2 fail_timeout=1s;',
        upstreams.map((one) => `server ${one} max_fails=2 fail_timeout=1s;`).join('\n'),
      )
      .replace('listen 80;', `listen 127.0.0.1:${port};`)
      .replace('/var/cache/nginx/mintmark', join(folder, 'cache'));
    const conf = join(folder, 'nginx.conf');
    writeFileSync(
      conf,
      `daemon off; pid ${folder}/pid; error_log stderr warn; worker_processes 1; ${isRoot ? 'user root;' : ''}
       events {} http { access_log off; client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy;
       fastcgi_temp_path ${folder}/f; uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s; ${block} }`,
    );
    const checked = spawnSync('nginx', ['-t', '-c', conf, '-p', folder], { encoding: 'utf8' });
    expect(checked.stderr).toContain('syntax is ok');
    const nginx = spawn('nginx', ['-c', conf, '-p', folder], { stdio: 'ignore' });
    stops.push(() => void nginx.kill('SIGTERM'));
    const base = `http://127.0.0.1:${port}`;
    await expect
      .poll(
        () =>
          fetch(base).then(
            () => true,
            () => false,
          ),
        { timeout: 20_000 },
      )
      .toBe(true);
    return base;
  }

  test('passes requests to two servers, one of which may end; counts each client by its own address', async () => {
    const database: FreshDatabase = await freshDatabase();
    stops.push(() => database.close());
    const servers: Program[] = [];
    const addresses: string[] = [];
    for (let i = 0; i < 2; i++) {
      const server = startProgram(['serve'], {
        DATABASE_URL: databaseUrlOf(database.connection),
        MINTMARK_DATA: join(folder, 'data'),
        PORT: '0',
        DAILY_PUBLIC: '5',
        BURST_PUBLIC: '0',
        TRUSTED_PROXIES: '127.0.0.1',
      });
      stops.push(async () => {
        server.kill('SIGKILL');
        await server.ended;
      });
      servers.push(server);
      addresses.push(new URL(await untilServing(server)).host);
    }
    const base = await startNginx(addresses);
    const left = async (client: string) => {
      const answer = await fetch(`${base}/v1/usage`, { headers: { 'x-forwarded-for': client } });
      return answer.status;
    };
    expect(await left('198.51.100.7')).toBe(200);
    const answers = await Promise.all(
      Array.from({ length: 6 }, () =>
        fetch(`${base}/v1/sets?game=pokemon`, { headers: { 'x-forwarded-for': '198.51.100.7' } }),
      ),
    );
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(1);
    expect(
      (await fetch(`${base}/v1/sets?game=pokemon`, { headers: { 'x-forwarded-for': '198.51.100.8' } })).status,
    ).toBe(200);

    servers[0]!.kill('SIGTERM');
    const statuses: number[] = [];
    for (let i = 0; i < 40; i++) {
      statuses.push((await fetch(`${base}/health`)).status);
      await sleep(25);
    }
    expect(await servers[0]!.ended).toBe(0);
    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  test('no request fails while two servers are restarted one after the other, as the guide says', async () => {
    const database: FreshDatabase = await freshDatabase();
    stops.push(() => database.close());
    const serveAt = async (port: number): Promise<Program> => {
      const server = startProgram(['serve'], {
        DATABASE_URL: databaseUrlOf(database.connection),
        MINTMARK_DATA: join(folder, 'restarted'),
        PORT: String(port),
        LIMITS: 'off',
      });
      stops.push(async () => {
        server.kill('SIGKILL');
        await server.ended;
      });
      await untilServing(server);
      return server;
    };
    const untilReady = (port: number) =>
      expect.poll(async () => (await fetch(`http://127.0.0.1:${port}/ready`)).status, { timeout: 120_000 }).toBe(200);
    const ports = [await freePort(), await freePort()];
    const servers = [await serveAt(ports[0]!), await serveAt(ports[1]!)];
    for (const port of ports) await untilReady(port);
    const base = await startNginx(ports.map((port) => `127.0.0.1:${port}`));

    let isOver = false;
    const statuses: number[] = [];
    const visiting = (async () => {
      for (let i = 0; !isOver; i++) {
        // Each search is another one: none is cached.
        const answer = await fetch(`${base}${i % 2 === 0 ? '/v1/games' : `/v1/search?q=card${i}`}`);
        await answer.arrayBuffer();
        statuses.push(answer.status);
        await sleep(20);
      }
    })();
    for (const [i, port] of ports.entries()) {
      servers[i]!.kill('SIGTERM');
      expect(await servers[i]!.ended).toBe(0);
      servers[i] = await serveAt(port);
      await untilReady(port);
      await sleep(3000);
    }
    isOver = true;
    await visiting;
    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  test('passes each event of a stream on as it happens, and a large upload as it arrives', async () => {
    let received = 0;
    const upstream: Server = createServer(async (request, response) => {
      if (request.url!.endsWith('/stream')) {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write('data: 1\n\n');
        await sleep(1500);
        response.end('data: 2\n\n');
      } else {
        for await (const chunk of request) received += (chunk as Buffer).length;
        response.end(String(received));
      }
    });
    await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
    stops.push(() => void upstream.close());
    const base = await startNginx([`127.0.0.1:${(upstream.address() as { port: number }).port}`]);
    const startedMs = performance.now();
    const stream = await fetch(`${base}/v1/graded/PSA1/stream`);
    const reader = stream.body!.getReader();
    await reader.read();
    expect(performance.now() - startedMs).toBeLessThan(1200);
    await reader.cancel();

    const body = new ReadableStream({
      async pull(controller) {
        controller.enqueue(new Uint8Array(1 << 20));
        await expect.poll(() => received, { timeout: 5000 }).toBeGreaterThan(0);
        controller.close();
      },
    });
    const upload = await fetch(`${base}/v1/search/detect-items`, {
      method: 'POST',
      body,
      duplex: 'half',
    } as RequestInit);
    expect(await upload.text()).toBe(String(1 << 20));
  });
});
