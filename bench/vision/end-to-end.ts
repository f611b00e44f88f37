/**
 * `node --import tsx bench/vision/end-to-end.ts [photos] [slabs]`: a photo of 2,000 px over HTTP, from its first byte to the
 * last of the answer, one at a time: upload, decoding, detection, recognition among the 986 real images, answer. Made-up
 * photos over real textures, easy and hard; the number of right answers is printed with it, and the CPU of the server's process
 * over all of its threads, which a busy machine changes less. Aim: p50 500 ms, p99 1,200 ms. Then slabs, from the first
 * byte to the last event: label, cert, art, answer, with no grader to ask. Aim: p50 2.5 s.
 */
import { loadavg } from 'node:os';
import { realTextures } from '../../test/support/photos/photo-ground.ts';
import { type Level, photographCard } from '../../test/support/photos/photos.ts';
import { photographSlab } from '../../test/support/photos/slabs.ts';
import { quantile } from '../http/http-load.ts';
import { type PhotoServer, startPhotoServer } from './photo-server.ts';
import { catalogImageBytes, catalogImages } from './photo-set.ts';

const PHOTOS = Number(process.argv[2] ?? 100);
const SLABS = Number(process.argv[3] ?? 30);
const LONG_SIDE_PX = 2000;
const WARM_UP = 4;
const COMPANIES = ['PSA', 'BGS', 'CGC'] as const;
const FIRST_SEED = 70_000;

type Made = { id: string; jpeg: Buffer };

async function photos(level: Level, count: number): Promise<Made[]> {
  const images = await catalogImages();
  const textures = await realTextures();
  const made: Made[] = [];
  for (let seed = FIRST_SEED; seed < FIRST_SEED + count; seed++) {
    const image = images[(seed * 383) % images.length]!;
    const options = { textures, longSidePx: LONG_SIDE_PX };
    const { jpeg } = await photographCard(await catalogImageBytes(image), seed, level, options);
    made.push({ id: image.id, jpeg });
  }
  return made;
}

async function measure(server: PhotoServer, path: string, made: readonly Made[]): Promise<string> {
  const times: number[] = [];
  const bands = new Map<string, number>();
  let right = 0;
  const before = await server.usage();
  for (const { id, jpeg } of made) {
    const began = performance.now();
    const { status, body } = await server.send(path, jpeg);
    times.push(performance.now() - began);
    if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`);
    const { ids = [], confidence = '' } = body as { ids?: string[]; confidence?: string };
    if (ids[0] === server.items.get(id)) right++;
    bands.set(confidence, (bands.get(confidence) ?? 0) + 1);
  }
  const cpuMs = ((await server.usage()).cpuMicros - before.cpuMicros) / 1000 / made.length;
  const [p50, p90, p99] = [0.5, 0.9, 0.99].map((share) => quantile(times, share).toFixed(0));
  const shown = [...bands].filter(([band]) => band !== '').map(([band, count]) => `${count} ${band}`);
  const answers = shown.length === 0 ? '' : `; ${right} of ${made.length} right; ${shown.join(', ')}`;
  return `p50 ${p50} ms, p90 ${p90}, p99 ${p99}, most ${Math.max(...times).toFixed(0)}; ${cpuMs.toFixed(0)} ms CPU each${answers}`;
}

async function measureSlabs(server: PhotoServer): Promise<string> {
  const images = await catalogImages();
  const cards = await Promise.all(images.slice(0, SLABS).map(catalogImageBytes));
  const textures = await realTextures();
  const times: number[] = [];
  let read = 0;
  for (let seed = FIRST_SEED - WARM_UP; seed < FIRST_SEED + SLABS; seed++) {
    const { jpeg, print } = await photographSlab(seed, COMPANIES[seed % 3]!, { cards, textures });
    const began = performance.now();
    const events = await server.stream('/v1/graded/by-image', jpeg);
    if (seed < FIRST_SEED) continue;
    times.push(performance.now() - began);
    if (events.includes('event: result') && events.includes(print.cert ?? print.gradeWords)) read++;
  }
  const [p50, p90] = [0.5, 0.9].map((share) => quantile(times, share).toFixed(0));
  return `p50 ${p50} ms, p90 ${p90}, most ${Math.max(...times).toFixed(0)}; ${read} of ${SLABS} with their cert, or words of their grade`;
}

const server = await startPhotoServer((await catalogImages()).length);
try {
  for (const level of ['easy', 'hard'] as const) {
    const made = await photos(level, PHOTOS);
    const kb = made.reduce((sum, { jpeg }) => sum + jpeg.length, 0) / made.length / 1024;
    for (const { jpeg } of made.slice(0, WARM_UP)) await server.send('/v1/search/by-image', jpeg);
    const load = loadavg()[0]!.toFixed(1);
    console.log(`${made.length} ${level} photos of ${kb.toFixed(0)} kB; load average ${load}`);
    console.log(`  by-image     ${await measure(server, '/v1/search/by-image', made)}`);
    console.log(`  detect-items ${await measure(server, '/v1/search/detect-items', made)}`);
  }
  if (SLABS > 0) console.log(`${SLABS} slabs\n  ${await measureSlabs(server)}`);
  const { rssBytes } = await server.usage();
  console.log(`the server has ${(rssBytes / 2 ** 20).toFixed(0)} MB resident`);
} finally {
  await server.end();
}
