/**
 * `node --import tsx bench/fuzz/fuzz.ts [requests, 100000] [seed, 1]`: valid, boundary, invalid and hostile requests for every
 * route of our own OpenAPI document, against the real server over the demo. Finds 5xx, statuses and bodies that the
 * document does not declare, errors that reveal internals, and memory that grows. `--only <seed>` sends one request
 * again and prints it with its answer. Ends with status 1 when there is a finding.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { issueKey } from '../../src/access/keys.ts';
import { loadDemo } from '../../src/ops/demo/demo-load.ts';
import { openapiDocument } from '../../src/ops/openapi.ts';
import { ROUTES } from '../../src/routes.ts';
import { checker } from '../../test/support/fuzz/fuzz-check.ts';
import { openFuzzClient, requestBytes } from '../../test/support/fuzz/fuzz-client.ts';
import type { OpenApi } from '../../test/support/fuzz/fuzz-document.ts';
import { poolsOf } from '../../test/support/fuzz/fuzz-pools.ts';
import { requestMaker } from '../../test/support/fuzz/fuzz-requests.ts';
import { type FuzzReport, runFuzz } from '../../test/support/fuzz/fuzz-run.ts';
import { benchDatabase } from '../http/http-database.ts';
import { type BenchServer, startServer } from '../http/http-load.ts';

const [requests = 100_000, seed = 1] = process.argv.slice(2).filter(isNumber).map(Number);
const only = process.argv.includes('--only') ? Number(process.argv[process.argv.indexOf('--only') + 1]) : null;
const MAX_SECONDS = 1200;
const WARM_UP_SHARE = 0.3;
const SAMPLE_MS = 500;
/** Small, so that it is full after the warm-up. */
const CACHE_MB = 8;
const PEPPER = Buffer.alloc(32);
/** Reachable bytes may rise by this much a request: nothing that is kept for each is so small. */
const MAX_BYTES_A_REQUEST = 20;

type Sample = { sent: number; megabytes: number };

const document = openapiDocument(ROUTES, {
  name: 'Mintmark',
  baseUrl: 'http://localhost:8080',
  contact: null,
}) as OpenApi;
const database = await benchDatabase();
let server: BenchServer | null = null;
try {
  const { db, connection } = database;
  await loadDemo(db, Math.floor(Date.now() / 86_400_000), (step) => console.log(step));
  await db.query(
    `update items set upstream_item_id = 'up-' || md5(identity_key) where abs(hashtext(identity_key)) % 2 = 0`,
  );
  const pools = await poolsOf(db, await issueKey(db, PEPPER, `fuzz ${randomBytes(2).toString('hex')}`));
  const make = requestMaker(document, pools);
  const check = checker(document);
  server = await startServer({ serve: 'app', connection, cacheMb: CACHE_MB, env: plenty() });
  const { port } = server;
  if (only !== null) await sendOne(port, only);
  else {
    const run = (count: number, from: number, onProgress?: (sent: number) => void) =>
      runFuzz({ port, make, check, requests: count, seed: from, maxSeconds: MAX_SECONDS, onProgress });
    const warmUp = await run(Math.round(requests * WARM_UP_SHARE), seed + 1_000_000);
    const heapBefore = await server.heapBytes();
    const { report, samples } = await sampled(server, (onProgress) =>
      run(requests - warmUp.requests, seed, onProgress),
    );
    const grown = ((await server.heapBytes()) - heapBefore) / report.requests;
    log(warmUp, 'warm-up');
    log(report, 'measured');
    const slope = regression(samples) * 1000;
    console.log(
      `resident ${samples[0]?.megabytes.toFixed(0)} to ${samples.at(-1)?.megabytes.toFixed(0)} MB; ${slope.toFixed(3)} MB a 1,000 requests by regression`,
    );
    console.log(
      `reachable after garbage collection: ${grown.toFixed(1)} bytes a request (aim: at most ${MAX_BYTES_A_REQUEST})`,
    );
    const findings = [...warmUp.findings, ...report.findings];
    console.log(`${requests.toLocaleString('en')} requests, ${findings.length} findings`);
    for (const { what, path, count, seeds } of findings)
      console.log(`  ${count} × ${path}: ${what} (--only ${seeds.join(', ')})`);
    if (findings.length > 0 || grown > MAX_BYTES_A_REQUEST) process.exitCode = 1;
  }
} finally {
  server?.stop();
  await database.stop();
}

/** Limits are on, so that their code runs, and none is reached. */
function plenty(): Record<string, string> {
  const names = ['DAILY', 'IMAGE', 'INTAKE'].flatMap((name) => [`${name}_PUBLIC`, `${name}_PARTNER`]);
  return {
    ...Object.fromEntries(names.map((name) => [name, '900000000'])),
    BURST_PUBLIC: '0',
    BURST_PARTNER: '0',
    REFUSALS_PER_MINUTE: '1000000',
    INTAKE_KEPT_PER_DAY: '1000000',
  };
}

async function sendOne(port: number, seed: number): Promise<void> {
  const request = requestMaker(document, await poolsOf(database.db, await issueKey(database.db, PEPPER, 'one')))(seed);
  console.log(JSON.stringify(requestBytes(request).toString('latin1').slice(0, 4000)));
  const client = openFuzzClient(port);
  const answer = await client.send(request);
  console.log(answer.status, answer.headers, answer.body.slice(0, 4000));
  console.log(checker(document)(request, answer, 0) ?? 'nothing is wrong with it');
  client.close();
}

async function sampled(server: BenchServer, run: (onProgress: (sent: number) => void) => Promise<FuzzReport>) {
  const samples: Sample[] = [];
  let sent = 0;
  let over = false;
  const running = run((count) => {
    sent = count;
  }).finally(() => {
    over = true;
  });
  while (!over) {
    samples.push({ sent, megabytes: (await server.usage()).rssBytes / 2 ** 20 });
    await sleep(SAMPLE_MS);
  }
  return { report: await running, samples };
}

function log({ requests, seconds, byStatus, successes }: FuzzReport, name: string): void {
  const statuses = [...byStatus].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`);
  const shy = Object.keys(document.paths).filter((path) => !successes.has(path));
  console.log(
    `${name}: ${requests.toLocaleString('en')} requests, ${Math.round(requests / seconds)} a second; ${statuses.join(', ')}`,
  );
  if (shy.length > 0) console.log(`  never answered with success: ${shy.join(', ')}`);
}

/** Least squares: megabytes a request. */
function regression(samples: readonly Sample[]): number {
  const mean = (pick: (one: Sample) => number) => samples.reduce((sum, one) => sum + pick(one), 0) / samples.length;
  const [x, y] = [mean((one) => one.sent), mean((one) => one.megabytes)];
  return mean((one) => (one.sent - x) * (one.megabytes - y)) / mean((one) => (one.sent - x) ** 2);
}

function isNumber(text: string, index: number, all: readonly string[]): boolean {
  return /^\d+$/.test(text) && all[index - 1] !== '--only';
}
