/**
 * `node --import tsx bench/http/pipelining.ts [rounds, 3]`: the answer time of one connection that sends a request at a time, from
 * memory, alone and next to 20 others that request uncached overviews: one at a time, 64 pipelined (what a connection may), and
 * 500 pipelined (which is cut off, and connects again at once). Prints p50, p99 and the server's resident memory, and each as
 * a ratio to the same without the others.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { benchDatabase, fillPricedItems } from './http-database.ts';
import { type BenchServer, getRequest, load, median, quantile, startServer } from './http-load.ts';

const CONNECTIONS = 20;
const DEPTHS = [1, 64, 500];
const SECONDS = 3;
const ITEMS = 300;

type Figures = { p50Ms: number; p99Ms: number; rssMb: number };

if (process.argv[2] === 'others') others(Number(process.argv[3]), process.argv[4]!, Number(process.argv[5]));
else await measure(Number(process.argv[2] ?? 3));

async function measure(rounds: number): Promise<void> {
  const database = await benchDatabase();
  try {
    const paths = await fillPricedItems(database.db, ITEMS);
    for (const depth of DEPTHS) {
      // A server of its own each, for its memory.
      const server = await startServer({ serve: 'app', connection: database.connection, cacheMb: 16 });
      await oneAtATime(server, paths);
      const ratios: Figures[] = [];
      for (let round = 0; round < rounds; round++) {
        const alone = await oneAtATime(server, paths);
        const crowded = await nextToOthers(server, paths, depth);
        console.log(`20 × ${depth}: ${line(alone)} alone, ${line(crowded)} next to the others`);
        ratios.push({
          p50Ms: crowded.p50Ms / alone.p50Ms,
          p99Ms: crowded.p99Ms / alone.p99Ms,
          rssMb: crowded.rssMb / alone.rssMb,
        });
      }
      const ratio = (of: (one: Figures) => number) => {
        const all = ratios.map(of);
        return `${median(all).toFixed(1)} × (${Math.min(...all).toFixed(1)} to ${Math.max(...all).toFixed(1)})`;
      };
      console.log(
        `20 × ${depth}: p50 ${ratio((one) => one.p50Ms)}, p99 ${ratio((one) => one.p99Ms)}, memory ${ratio((one) => one.rssMb)}`,
      );
      server.kill();
    }
  } finally {
    await database.stop();
  }
}

/** Overviews from memory, one after the other on one connection; the memory is the most of the samples meanwhile. */
async function oneAtATime(server: BenchServer, paths: readonly string[]): Promise<Figures> {
  let turn = 0;
  const next = () => getRequest(paths[turn++ % 50]!);
  const samples: number[] = [];
  const sample = async () => void samples.push((await server.usage()).rssBytes / 2 ** 20);
  const sampling = setInterval(() => void sample(), 500);
  const { latenciesMs } = await load(server.port, { connections: 1, seconds: SECONDS, next, keepLatencies: true });
  clearInterval(sampling);
  await sample();
  return { p50Ms: median(latenciesMs), p99Ms: quantile(latenciesMs, 0.99), rssMb: Math.max(...samples) };
}

/** The same while the other connections send, from a process of their own. */
async function nextToOthers(server: BenchServer, paths: readonly string[], depth: number): Promise<Figures> {
  const child = fork(fileURLToPath(import.meta.url), ['others', String(server.port), paths[0]!, String(depth)], {
    execArgv: ['--import', 'tsx'],
  });
  await once(child, 'message');
  const figures = await oneAtATime(server, paths);
  child.kill();
  await once(child, 'exit');
  return figures;
}

function line({ p50Ms, p99Ms, rssMb }: Figures): string {
  return `p50 ${p50Ms.toFixed(2)} ms, p99 ${p99Ms.toFixed(1)} ms, ${rssMb.toFixed(0)} MB`;
}

/** Sends until the process is killed, with a message once all connections have sent. */
function others(port: number, path: string, depth: number): void {
  let sent = 0;
  let connected = 0;
  // Each request has its own target, so that none is answered from memory.
  const requests = () => Buffer.concat(Array.from({ length: depth }, () => getRequest(`${path}?other=${sent++}`)));
  const begin = () => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => {
      socket.write(requests());
      if (++connected === CONNECTIONS) process.send!('sending');
    });
    let unanswered = depth;
    socket.on('data', (chunk: Buffer) => {
      unanswered -= chunk.toString('latin1').split('HTTP/1.1 ').length - 1;
      if (unanswered > 0) return;
      unanswered = depth;
      socket.write(requests());
    });
    socket.on('error', () => {});
    socket.on('close', begin);
  };
  for (let n = 0; n < CONNECTIONS; n++) begin();
}
