/**
 * Slabs in photos: certs and grades read right, wrong certs taken, milliseconds.
 *
 *   node --import tsx bench/vision/slabs.ts [--photos 60] [--from 70000] [--minutes 4]   made-up photos
 *   node --import tsx bench/vision/slabs.ts real                                        the real ones
 *
 * Rules were tuned on seeds from 1000 on; those that are reported begin at 70000. CPU is of all threads of the process,
 * which is what a photo takes on a machine that has nothing else to do.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { certOfSlab } from '../../src/graded/slab/slab-cert.ts';
import { decodePhoto } from '../../src/vision/photo.ts';
import type { RgbPixels } from '../../src/vision/pictures/dominant-colors.ts';
import { readSlab, type SlabReading } from '../../src/vision/slab/read-slab.ts';
import { openSlabTools } from '../../src/vision/slab/tools.ts';
import { realTextures } from '../../test/support/photos/photo-ground.ts';
import { photographSlab } from '../../test/support/photos/slabs.ts';
import { testData } from '../../test/support/test-data.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    photos: { type: 'string', default: '60' },
    from: { type: 'string', default: '70000' },
    minutes: { type: 'string', default: '4' },
  },
});
const COMPANIES = ['PSA', 'BGS', 'CGC'] as const;
/** Long sides of the photos, in turn: half are of a telephone, the others as sites show them. */
const SIDES = [2000, 800, 2000, 620];
type Tally = Record<'photos' | 'certs' | 'certRight' | 'certWrong' | 'gradeWrong' | 'unread', number>;
const tools = await openSlabTools();
if (positionals[0] === 'real') await real();
else await madeUp();
await tools.ocr.close();

async function madeUp(): Promise<void> {
  const list = testData('images', 'catalog', 'catalog.json');
  const files: { file: string }[] = list === null ? [] : JSON.parse(readFileSync(list, 'utf8'));
  const cards = files.slice(0, 60).map(({ file }) => readFileSync(testData('images', 'catalog', ...file.split('/'))!));
  const textures = await realTextures();
  const until = performance.now() + Number(values.minutes) * 60_000;
  const tallies = new Map<string, Tally>();
  const times: number[] = [];
  const cpus: number[] = [];
  for (let seed = Number(values.from); seed < Number(values.from) + Number(values.photos); seed++) {
    if (performance.now() > until) break;
    const longSidePx = SIDES[Math.floor(seed / 3) % SIDES.length]!;
    const photo = await photographSlab(seed, COMPANIES[seed % 3]!, { cards, textures, longSidePx });
    const pixels = await decodePhoto(photo.jpeg, 4000);
    const { reading, ms, cpuMs } = await timed(pixels);
    // The first opens what the others find open.
    if (seed > Number(values.from)) {
      times.push(ms);
      cpus.push(cpuMs);
    }
    const { cert, gradeKey, company } = photo.print;
    const read = resultOf(reading);
    const isRight = read.cert === (cert === null ? null : company + cert);
    for (const group of ['all', company, `${longSidePx} px`]) {
      const tally = tallies.get(group) ?? { photos: 0, certs: 0, certRight: 0, certWrong: 0, gradeWrong: 0, unread: 0 };
      tallies.set(group, tally);
      tally.photos++;
      if (cert !== null) tally.certs++;
      if (cert !== null && isRight) tally.certRight++;
      if (read.cert !== null && !isRight) tally.certWrong++;
      if (read.gradeKey === null) tally.unread++;
      else if (read.gradeKey !== gradeKey) tally.gradeWrong++;
    }
    if (!isRight || read.gradeKey !== gradeKey)
      console.log(
        `${seed} ${longSidePx} px ${company} ${photo.print.layout}: ${cert} ${gradeKey}, read ${JSON.stringify(read)}`,
      );
  }
  console.table(Object.fromEntries([...tallies].sort()));
  console.log(
    `wall ms p50 ${at(times, 0.5)} p95 ${at(times, 0.95)}; CPU ms p50 ${at(cpus, 0.5)} p95 ${at(cpus, 0.95)}`,
  );
}

type Slab = { company: string; cert: string | null; grade: string; slab?: [number, number, number, number] };

/** Each slab of the real photos, cut out with a part of its neighbors; and the whole photos. */
async function real(): Promise<void> {
  const facts = testData('images', 'slabs', 'labels.json');
  if (facts === null) {
    console.warn('the real photos are not here');
    return;
  }
  const photos: { file: string; slabs: Slab[] }[] = JSON.parse(readFileSync(facts, 'utf8'));
  for (const { file, slabs } of photos) {
    const photo = await decodePhoto(readFileSync(testData('images', 'slabs', file)!), 4000);
    for (const { company, cert, grade, slab } of slabs) {
      const { reading, ms, cpuMs } = await timed(slab === undefined ? photo : cut(photo, slab));
      console.log(
        `${company} ${cert} ${grade}: read ${JSON.stringify(resultOf(reading))} (${at([ms], 0)} ms, CPU ${at([cpuMs], 0)})`,
      );
    }
    const { reading, ms } = await timed(photo);
    console.log(`all of ${file}: ${JSON.stringify(resultOf(reading))} (${at([ms], 0)} ms)`);
  }
}

async function timed(photo: RgbPixels) {
  const begun = performance.now();
  const cpu = process.cpuUsage();
  const reading = await readSlab(tools, photo);
  const { user, system } = process.cpuUsage(cpu);
  return { reading, ms: performance.now() - begun, cpuMs: (user + system) / 1000 };
}

function resultOf(reading: Awaited<ReturnType<typeof readSlab>>) {
  if (reading.kind === 'unreadable') return { company: null, cert: null, gradeKey: null, why: reading.advice };
  const { company, certs, grade } = reading as SlabReading;
  const read = certOfSlab(company, certs);
  const why = read.cert === null ? read.problem : read.shownBy;
  return { company, cert: read.cert?.cert ?? null, gradeKey: grade?.key ?? null, why };
}

function cut({ data, width, height }: RgbPixels, [x, y, w, h]: [number, number, number, number]): RgbPixels {
  const room = 40;
  const [left, top] = [Math.max(0, x - room), Math.max(0, y - room)];
  const [right, bottom] = [Math.min(width, x + w + room), Math.min(height, y + h + room)];
  const part = new Uint8Array((right - left) * (bottom - top) * 3);
  for (let row = top; row < bottom; row++)
    part.set(data.subarray((row * width + left) * 3, (row * width + right) * 3), (row - top) * (right - left) * 3);
  return { data: part, width: right - left, height: bottom - top };
}

function at(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0);
}
