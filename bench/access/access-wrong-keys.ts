import { setTimeout as sleep } from 'node:timers/promises';
import { issueKey } from '../../src/access/keys.ts';
import type { BenchDatabase } from '../http/http-database.ts';
import { type BenchServer, getRequest, quantile, startServer } from '../http/http-load.ts';
import { aim, middle, spread } from './access-aim.ts';
import { openLine, paced, pacedElsewhere } from './access-lines.ts';

const ROUNDS = 5;
const ROUND_MS = 4000;
const PARTNER_A_SECOND = 200;
const WRONG_A_SECOND = 2000;
const REPEATED = 1000;

/** A partner's latency while others try keys, and what a rejected key costs the database. */
export async function benchWrongKeys({ db, connection }: BenchDatabase, path: string): Promise<void> {
  const { id, secret } = await issueKey(db, Buffer.alloc(32), 'partner');
  const right = getRequest(path, { 'x-api-key': id, 'x-api-secret': secret });
  const wrong = getRequest(path, { 'x-api-key': id, 'x-api-secret': `${secret.slice(0, -1)}!` });
  const env = { DAILY_PARTNER: '900000000', BURST_PARTNER: '1000' };
  // Each with a 401 of its own, and as shipped: 30 a minute and address, then 429.
  for (const [name, rejections] of [
    ['401', '1000000'],
    ['401 then 429', '30'],
  ] as const) {
    const server = await startServer({
      serve: 'app',
      connection,
      cacheMb: 16,
      env: { ...env, REFUSALS_PER_MINUTE: rejections },
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
  const line = await openLine(server.port, 401);
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
  const cpu: number[] = [];
  const attacker = pacedElsewhere();
  const partner = () => paced({ port: server.port, request: right, aSecond: PARTNER_A_SECOND, forMs: ROUND_MS }, 200);
  for (let i = -1; i < ROUNDS; i++) {
    const before = await server.usage();
    const calm = await partner();
    const between = await server.usage();
    const [busy, answered] = await Promise.all([
      partner(),
      attacker.send({ port: server.port, request: wrong, aSecond: WRONG_A_SECOND, forMs: ROUND_MS }),
    ]);
    const after = await server.usage();
    if (i < 0) continue;
    quiet.push(quantile(calm, 0.99));
    attacked.push(quantile(busy, 0.99));
    rates.push(answered / (ROUND_MS / 1000));
    cpu.push((after.cpuMicros - 2 * between.cpuMicros + before.cpuMicros) / answered);
  }
  attacker.stop();
  const ratio = middle(attacked) / middle(quiet);
  const figure = `p99 ${spread(attacked)} ms next to ${spread(quiet)} ms alone, ratio of the medians ${ratio.toFixed(2)}, at ${Math.round(middle(rates))} wrong keys a second, each ${spread(cpu, 0)} µs CPU`;
  aim(`partner at ${PARTNER_A_SECOND}/s under wrong keys (${name})`, figure, 'within 2 x', ratio <= 2);
}
