/**
 * `node --import tsx bench/vision/hostile.ts [uploads]`: 1,000 uploads of 15 MB at once against one server, a third of
 * each: bombs that stay small, 15 MB of data that is not a photo, real photos behind 15 MB of metadata. Every other
 * sender hears nothing before it has written all. What was answered, why where nothing was, how much memory the server had
 * at most, and how a usual photo and `/v1/health` fare meanwhile and afterwards.
 */
import { connect } from 'node:net';
import sharp from 'sharp';
import { formOf, MULTIPART } from '../../test/support/multipart.ts';
import { pngBomb, withSegments } from '../../test/support/photos/hostile-images.ts';
import { quantile } from '../http/http-load.ts';
import { startPhotoServer } from './photo-server.ts';
import { catalogImageBytes, catalogImages } from './photo-set.ts';

const UPLOADS = Number(process.argv[2] ?? 1000);
const MOST_BYTES = 15 * 2 ** 20;
const PATH = '/v1/search/by-image';
const PICTURES = 20;
const SAMPLE_MS = 50;
const PATIENCE_MS = 240_000;
/** What one sender writes before others have their turn: at once, a thousand bodies are ten seconds of one thread. */
const PIECE_BYTES = 256 * 1024;

const server = await startPhotoServer(PICTURES);
try {
  const card = await catalogImageBytes((await catalogImages())[0]!);
  const jpeg = await sharp(card).jpeg().toBuffer();
  const bodies = [
    pngBomb(30_000, 30_000),
    Buffer.concat([
      await sharp(card)
        .png()
        .toBuffer()
        .then((png) => png.subarray(0, 5000)),
      Buffer.alloc(MOST_BYTES - 6000, 7),
    ]),
    withSegments(jpeg, 0xe2, Math.floor((MOST_BYTES - jpeg.length) / 65_537)),
  ].map(requestOf);
  await server.send(PATH, jpeg);
  const before = await server.usage();
  let most = 0;
  let lasts = true;
  const healthMs: number[] = [];
  const watch = (async () => {
    while (lasts) {
      const began = performance.now();
      const response = await fetch(`http://127.0.0.1:${server.port}/v1/health`);
      await response.text();
      healthMs.push(performance.now() - began);
      most = Math.max(most, (await server.usage()).rssBytes);
      await new Promise((resolve) => setTimeout(resolve, SAMPLE_MS));
    }
  })();
  const began = performance.now();
  const outcomes = await Promise.all(
    Array.from({ length: UPLOADS }, (_, i) => upload(bodies[i % bodies.length]!, i % 2 === 1)),
  );
  const seconds = (performance.now() - began) / 1000;
  lasts = false;
  await watch;
  const counts = new Map<string, number>();
  for (const outcome of outcomes) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  const shown = [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([outcome, count]) => `${count} × ${outcome}`);
  console.log(`${UPLOADS} uploads at once ended in ${seconds.toFixed(1)} s: ${shown.join(', ')}`);
  console.log(
    `memory ${mb(before.rssBytes)} MB before, ${mb(most)} at most, ${mb((await server.usage()).rssBytes)} after`,
  );
  console.log(
    `/v1/health meanwhile p50 ${quantile(healthMs, 0.5).toFixed(0)} ms, p99 ${quantile(healthMs, 0.99).toFixed(0)}`,
  );
  const { status, body } = await server.send(PATH, jpeg);
  console.log(`a usual photo afterwards: ${status}, ${body.confidence ?? body.detail}`);
} finally {
  await server.end();
}

function requestOf(photo: Buffer): Buffer {
  const body = formOf({ name: 'file', bytes: photo });
  const head = `POST ${PATH} HTTP/1.1\r\nHost: bench\r\nConnection: close\r\nContent-Type: ${MULTIPART['content-type']}\r\nContent-Length: ${body.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), body]);
}

/** The status of the answer, or why there was no answer. A patient client writes all before it reads. */
function upload(request: Buffer, isPatient: boolean): Promise<string> {
  return new Promise((resolve) => {
    let answer = '';
    let reason = 'the server hung up';
    const socket = connect(server.port, '127.0.0.1', () => write(0));
    if (isPatient) socket.pause();
    const end = (why: string) => {
      reason = why;
      socket.destroy();
    };
    const timer = setTimeout(() => end(`nothing in ${PATIENCE_MS / 1000} s`), PATIENCE_MS);
    const write = (from: number) => {
      const to = from + PIECE_BYTES;
      if (from >= request.length) socket.resume();
      else socket.write(request.subarray(from, to), (error) => error || write(to));
    };
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1');
      // As clients do: with the answer there is no reason to send on.
      if (answer.includes('\r\n\r\n{')) socket.destroy();
    });
    socket.on('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message));
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(answer === '' ? `no answer (${reason})` : answer.slice(9, 12));
    });
  });
}

function mb(bytes: number): string {
  return (bytes / 2 ** 20).toFixed(0);
}
