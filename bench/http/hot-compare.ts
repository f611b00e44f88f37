import { get } from 'node:http';
import { type BenchServer, getRequest, load, median, startServer } from './http-load.ts';

const SECONDS = 2;
const CONNECTIONS = 16;

/** CPU of the server for a request, and requests a second. */
export type Round = { micros: number; rate: number };

/**
 * A cached response of `app` next to bare `node:http` sending the same bytes: plain, and compressed as a browser gets it. Prints
 * server CPU a request of both, their ratio, and the rate; rounds alternate.
 */
export async function compareHot(app: BenchServer, path: string, rounds: number, aimRatio: number): Promise<void> {
  for (const encoding of ['identity', 'gzip, deflate, br']) {
    const { body, headers } = await fetchRaw(app.port, path, encoding);
    console.log(`${path}, ${encoding}: ${body.length} bytes, headers ${headers.join(', ')}`);
    const bare = await startServer({ serve: 'buffer', body: body.toString('base64') });
    try {
      await compare(app, bare, getRequest(path, { 'accept-encoding': encoding }), rounds, aimRatio);
    } finally {
      bare.stop();
    }
  }
}

async function compare(
  app: BenchServer,
  bare: BenchServer,
  request: Buffer,
  rounds: number,
  aimRatio: number,
): Promise<void> {
  const { apps, bares } = await alternating(app, bare, request, rounds);
  say('  bare node:http', bares);
  say('  mintmark      ', apps);
  const ratios = apps.map((one, i) => one.micros / bares[i]!.micros);
  console.log(`  ratio ${spread(ratios, 2)}  (aim: at most ${aimRatio})`);
}

/** Rounds of the same request to two servers, by turns. */
export async function alternating(
  app: BenchServer,
  bare: BenchServer,
  request: Buffer,
  rounds: number,
): Promise<{ apps: Round[]; bares: Round[] }> {
  const bares: Round[] = [];
  const apps: Round[] = [];
  // The first round of each warms it up and is not counted.
  for (let i = -1; i < rounds; i++) {
    bares[i] = await round(bare, request);
    apps[i] = await round(app, request);
  }
  return { apps, bares };
}

async function round(server: BenchServer, request: Buffer): Promise<Round> {
  const before = await server.usage();
  const { requests, seconds } = await load(server.port, {
    connections: CONNECTIONS,
    seconds: SECONDS,
    next: () => request,
  });
  const after = await server.usage();
  return { micros: (after.cpuMicros - before.cpuMicros) / requests, rate: requests / seconds };
}

function say(name: string, rounds: readonly Round[]): void {
  const micros = rounds.map((one) => one.micros);
  const perCore = Math.round(1e6 / median(micros)).toLocaleString('en');
  const rate = Math.round(median(rounds.map((one) => one.rate))).toLocaleString('en');
  console.log(`${name} ${spread(micros, 1)} µs CPU a request = ${perCore} a core-second; ${rate} requests/s measured`);
}

function spread(values: readonly number[], digits: number): string {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return `${median(values).toFixed(digits)} (${least.toFixed(digits)} to ${most.toFixed(digits)})`;
}

/** The body as it goes over the wire (fetch would unpack it), and the names of the headers that came with it. */
export function fetchRaw(port: number, path: string, encoding: string): Promise<{ body: Buffer; headers: string[] }> {
  return new Promise((resolve, reject) => {
    get({ port, path, headers: { 'accept-encoding': encoding } }, async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      resolve({ body: Buffer.concat(chunks), headers: Object.keys(response.headers) });
    }).once('error', reject);
  });
}
