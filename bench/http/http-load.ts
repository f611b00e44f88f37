import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { compiledProgram } from '../compiled-program.ts';
import type { ServerOrder, Usage } from './http-server.ts';

export type BenchServer = {
  port: number;
  usage(): Promise<Usage>;
  /** Bytes reachable after a collection of garbage. */
  heapBytes(): Promise<number>;
  stop(): void;
  /** `kill -9`. */
  kill(): void;
};

let program: Promise<string> | undefined;

/** Starts a server in a process of its own. */
export async function startServer(order: ServerOrder): Promise<BenchServer> {
  program ??= compiledProgram('http/http-server');
  const child = fork(await program, { execArgv: ['--expose-gc'] });
  const { port } = await ask<{ port: number }>(child, order);
  return {
    port,
    usage: () => ask<Usage>(child, 'usage'),
    heapBytes: () => ask<number>(child, 'heap'),
    stop() {
      if (child.connected) child.disconnect();
    },
    kill: () => void child.kill('SIGKILL'),
  };
}

async function ask<Answer>(child: ChildProcess, message: ServerOrder | 'usage' | 'heap'): Promise<Answer> {
  return await new Promise<Answer>((resolve, reject) => {
    const died = () => reject(new Error('the server ended'));
    child.once('exit', died);
    child.once('message', (answer) => {
      child.off('exit', died);
      resolve(answer as Answer);
    });
    child.send(message);
  });
}

/** The bytes of a GET as a usual HTTP client sends it. */
export function getRequest(path: string, headers: Record<string, string> = {}): Buffer {
  const lines = Object.entries({ host: '127.0.0.1', accept: 'application/json', 'user-agent': 'bench/1', ...headers });
  return Buffer.from(
    `GET ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
    'latin1',
  );
}

export type Load = { requests: number; seconds: number; latenciesMs: number[] };

/**
 * Closed loop: each of `connections` sends its next request when the last one is answered, until `seconds` or `requests`
 * are over. Answers are distinguished by their Content-Length alone, so that the load costs less than what it measures.
 */
export async function load(
  port: number,
  options: { connections: number; seconds: number; requests?: number; next(): Buffer; keepLatencies?: boolean },
): Promise<Load> {
  const { connections, seconds, requests = Number.POSITIVE_INFINITY, next, keepLatencies = false } = options;
  const latenciesMs: number[] = [];
  const begun = performance.now();
  const end = begun + seconds * 1000;
  let sent = 0;
  let answered = 0;
  async function run(): Promise<void> {
    const socket = await open(port);
    await new Promise<void>((resolve, reject) => {
      let sentAt = 0;
      const send = () => {
        if (sent >= requests || performance.now() >= end) return resolve();
        sent++;
        sentAt = performance.now();
        socket.write(next());
      };
      readAnswers(socket, () => {
        answered++;
        if (keepLatencies) latenciesMs.push(performance.now() - sentAt);
        send();
      });
      socket.once('error', reject);
      socket.once('close', () => reject(new Error('the server closed a connection')));
      send();
    });
    socket.removeAllListeners('close');
    socket.destroy();
  }
  await Promise.all(Array.from({ length: connections }, run));
  return { requests: answered, seconds: (performance.now() - begun) / 1000, latenciesMs };
}

async function open(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await once(socket, 'connect');
  return socket;
}

/** Calls back at the end of every answer. A 304 has no body; every other answer of these servers states its length. */
function readAnswers(socket: Socket, onAnswer: () => void): void {
  let head = '';
  let bodyLeft = 0;
  socket.on('data', (chunk: Buffer) => {
    let at = 0;
    while (at < chunk.length) {
      if (bodyLeft === 0) {
        head += chunk.toString('latin1', at);
        const headEnd = head.indexOf('\r\n\r\n');
        if (headEnd === -1) return;
        at = chunk.length - (head.length - headEnd - 4);
        bodyLeft = lengthOf(head.slice(0, headEnd));
        head = '';
        if (bodyLeft === 0) onAnswer();
      } else {
        const taken = Math.min(bodyLeft, chunk.length - at);
        at += taken;
        bodyLeft -= taken;
        if (bodyLeft === 0) onAnswer();
      }
    }
  });
}

function lengthOf(head: string): number {
  if (head.startsWith('HTTP/1.1 304') || head.startsWith('HTTP/1.1 204')) return 0;
  // A rejection costs less than an answer: measured with one, a figure would be wrong.
  if (/^HTTP\/1\.1 (5|401|429)/.test(head)) throw new Error(`the server answered: ${head.split('\r\n')[0]}`);
  return Number(/\r\ncontent-length: (\d+)/i.exec(head)![1]);
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!;
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}
