import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { issueKey } from '../src/access/keys.ts';
import { aim, middle, spread } from './access-aim.ts';
import type { BenchDatabase } from './http-database.ts';
import { type BenchServer, getRequest, quantile, startServer } from './http-load.ts';

const ROUNDS = 5;
const ROUND_MS = 4000;
const PARTNER_A_SECOND = 200;
const WRONG_A_SECOND = 2000;
const REPEATED = 1000;
const CONNECTIONS = 20;

/** A partner's latency while others try keys, and what a refused key costs the database. */
export async function benchWrongKeys({ db, connection }: BenchDatabase, path: string): Promise<void> {
  const { id, secret } = await issueKey(db, Buffer.alloc(32), 'partner');
  const right = getRequest(path, { 'x-api-key': id, 'x-api-secret': secret });
  const wrong = getRequest(path, { 'x-api-key': id, 'x-api-secret': `${secret.slice(0, -1)}!` });
  const env = { DAILY_PARTNER: '900000000', BURST_PARTNER: '1000' };
  // Each with a 401 of its own, and as shipped: 30 a minute and address, then 429.
  for (const [name, refusals] of [
    ['401', '1000000'],
    ['401 then 429', '30'],
  ] as const) {
    const server = await startServer({
      serve: 'app',
      connection,
      cacheMb: 16,
      env: { ...env, REFUSALS_PER_MINUTE: refusals },
    });
    try {
      if (name === '401') await statements(server, wrong);
      await latencies(server, right, wrong, name);
    } finally {
      server.stop();
    }
  }
}

async function statements(server: BenchServer, wrong: Buffer): Promise<void> {
  const line = await open(server.port, 401);
  await line.send(wrong);
  const before = (await server.usage()).statements;
  const begun = performance.now();
  for (let i = 0; i < REPEATED; i++) await line.send(wrong);
  const tookMs = performance.now() - begun;
  const during = (await server.usage()).statements - before;
  await sleep(tookMs);
  const idle = (await server.usage()).statements - before - during;
  line.close();
  const figure = `${during} statements during ${REPEATED} in ${Math.round(tookMs)} ms, ${idle} in as long without any`;
  aim('a repeated 401', figure, 'no SQL of its own', during <= idle + 2);
}

async function latencies(server: BenchServer, right: Buffer, wrong: Buffer, name: string): Promise<void> {
  const quiet: number[] = [];
  const attacked: number[] = [];
  const rates: number[] = [];
  for (let i = -1; i < ROUNDS; i++) {
    const calm = await paced(server.port, right, 200, PARTNER_A_SECOND);
    const [busy, attack] = await Promise.all([
      paced(server.port, right, 200, PARTNER_A_SECOND),
      paced(server.port, wrong, null, WRONG_A_SECOND),
    ]);
    if (i < 0) continue;
    quiet.push(quantile(calm, 0.99));
    attacked.push(quantile(busy, 0.99));
    rates.push(attack.length / (ROUND_MS / 1000));
  }
  const ratio = middle(attacked) / middle(quiet);
  const figure = `p99 ${spread(attacked)} ms beside ${spread(quiet)} ms alone, ratio of the medians ${ratio.toFixed(2)}, at ${Math.round(middle(rates))} wrong keys a second`;
  aim(`partner at ${PARTNER_A_SECOND}/s under wrong keys (${name})`, figure, 'within 2 x', ratio <= 2);
}

/** Open loop: so many a second for a round, whatever is answered when. Milliseconds of each. */
async function paced(port: number, request: Buffer, status: number | null, aSecond: number): Promise<number[]> {
  const lines = await Promise.all(Array.from({ length: CONNECTIONS }, () => open(port, status)));
  const tookMs: number[] = [];
  const pending: Promise<void>[] = [];
  const begun = performance.now();
  for (let n = 0; performance.now() - begun < ROUND_MS; ) {
    const due = Math.floor(((performance.now() - begun) / 1000) * aSecond);
    for (; n < due; n++) pending.push(lines[n % CONNECTIONS]!.send(request).then((ms) => void tookMs.push(ms)));
    await sleep(1);
  }
  await Promise.all(pending);
  for (const line of lines) line.close();
  return tookMs;
}

type Line = { send(request: Buffer): Promise<number>; close(): void };

/** A connection on which answers come in the order of requests; another status than `status` is an error. */
async function open(port: number, status: number | null): Promise<Line> {
  const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  const waiting: { sentAt: number; resolve(ms: number): void; reject(error: Error): void }[] = [];
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1');
    while (true) {
      const headEnd = received.indexOf('\r\n\r\n');
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(received.slice(0, headEnd))?.[1]);
      if (headEnd === -1 || received.length < headEnd + 4 + length) return;
      const { sentAt, resolve, reject } = waiting.shift()!;
      const got = Number(received.slice(9, 12));
      received = received.slice(headEnd + 4 + length);
      if (status !== null && got !== status) reject(new Error(`answered ${got}`));
      else resolve(performance.now() - sentAt);
    }
  });
  return {
    send: (request) =>
      new Promise((resolve, reject) => {
        waiting.push({ sentAt: performance.now(), resolve, reject });
        socket.write(request);
      }),
    close: () => socket.destroy(),
  };
}
