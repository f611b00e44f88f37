/**
 * Open-loop load: so many requests a second, whatever is answered when. `paced` does it here; `pacedElsewhere` in a
 * process of its own, so that an attack does not delay the clock of the attacked process.
 */
import { fork } from 'node:child_process';
import { connect, type Socket } from 'node:net';
import { constants, setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const CONNECTIONS = 20;

export type Pace = { port: number; request: Buffer; aSecond: number; forMs: number };

/** Milliseconds of each request; an answer with another status than `status` is an error. */
export async function paced({ port, request, aSecond, forMs }: Pace, status: number | null): Promise<number[]> {
  const lines = await Promise.all(Array.from({ length: CONNECTIONS }, () => openLine(port, status)));
  const tookMs: number[] = [];
  const pending: Promise<void>[] = [];
  const begun = performance.now();
  for (let n = 0; performance.now() - begun < forMs; ) {
    const due = Math.floor(((performance.now() - begun) / 1000) * aSecond);
    for (; n < due; n++) pending.push(lines[n % CONNECTIONS]!.send(request).then((ms) => void tookMs.push(ms)));
    await sleep(1);
  }
  await Promise.all(pending);
  for (const line of lines) line.close();
  return tookMs;
}

/**
 * Starts a process that sends at a pace on demand; `send` resolves with the number of answers. Its priority is the lowest:
 * an attacker's client has a machine of its own, and takes no processor time from the server.
 */
export function pacedElsewhere(): { send(pace: Pace): Promise<number>; stop(): void } {
  const child = fork(fileURLToPath(import.meta.url), { execArgv: ['--import', 'tsx'], serialization: 'advanced' });
  setPriority(child.pid!, constants.priority.PRIORITY_LOW);
  return {
    send: (pace) =>
      new Promise((resolve, reject) => {
        child.once('exit', reject);
        child.once('message', (answered) => {
          child.off('exit', reject);
          resolve(answered as number);
        });
        child.send(pace);
      }),
    stop: () => child.disconnect(),
  };
}

export type Line = { send(request: Buffer): Promise<number>; close(): void };

/** A connection on which answers come in the order of requests. */
export async function openLine(port: number, status: number | null): Promise<Line> {
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

if (process.argv[1] === fileURLToPath(import.meta.url))
  process.on('message', async (pace: Pace) => {
    // What arrives is bytes, no Buffer.
    process.send!((await paced({ ...pace, request: Buffer.from(pace.request) }, null)).length);
  });
