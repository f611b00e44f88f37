import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SEARCHES } from '../../../src/vision/detect/detect-cards.ts';
import { linesOf } from '../../../src/vision/detect/edge-lines.ts';
import { edgesOf } from '../../../src/vision/detect/edges.ts';
import { lookAt } from '../../../src/vision/detect/find-quads.ts';
import { candidatesOf } from '../../../src/vision/detect/quad-candidates.ts';
import { segmentsOf } from '../../../src/vision/detect/segments.ts';
import { decodePhoto } from '../../../src/vision/photo.ts';
import type { RgbPixels } from '../../../src/vision/pictures/dominant-colors.ts';
import { diagonalOf } from '../../../src/vision/quad.ts';
import { budgeted } from '../../../src/vision/slab/budget.ts';
import type { SlabTools } from '../../../src/vision/slab/read-label.ts';
import { readSlab } from '../../../src/vision/slab/read-slab.ts';
import { openSlabTools } from '../../../src/vision/slab/tools.ts';
import { drawnCard } from '../../support/photos/photo-card.ts';
import { photographPage } from '../../support/photos/photos.ts';
import { colouredSquares, gridOfLines } from '../../support/photos/slow-photos.ts';
import { testData } from '../../support/test-data.ts';

const SEARCH = SEARCHES.cards;
const MOST = { candidates: 80_000, lookedPx: 2_100_000 };

async function pixelsOf(photo: Buffer): Promise<RgbPixels> {
  const { data, info } = await sharp(photo)
    .resize({ width: SEARCH.longSidePx, height: SEARCH.longSidePx, fit: 'inside', withoutEnlargement: true })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

/** CPU time does not depend on what else the machine does. */
function cpuMsOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

describe('looking for cards', () => {
  const linesIn = (photo: RgbPixels) => {
    const edges = edgesOf(photo);
    return linesOf(edges, segmentsOf(edges, SEARCH.segment * SEARCH.longSidePx), SEARCH.lines, SEARCH.gap);
  };
  const work = (photo: RgbPixels) => ({
    candidates: candidatesOf(linesIn(photo), photo, SEARCH).length,
    lookedPx: lookAt(photo, SEARCH).quads.reduce((sum, { quad }) => sum + diagonalOf(quad), 0),
  });

  test('takes a bounded number of candidates and looks in a mosaic of many thousands', async () => {
    const { candidates, lookedPx } = work(await pixelsOf(await colouredSquares()));
    expect(candidates).toBe(MOST.candidates);
    expect(lookedPx).toBeGreaterThan(0.9 * MOST.lookedPx);
    // The sides of a quad move a little when it is refined.
    expect(lookedPx).toBeLessThan(1.02 * MOST.lookedPx);
  });

  test('stays below these bounds on a page of nine cards', async () => {
    const { jpeg } = await photographPage([1, 2, 3, 4, 5, 6, 7, 8, 9].map(drawnCard), 6, { longSidePx: 1000 });
    const { candidates, lookedPx } = work(await pixelsOf(jpeg));
    expect(candidates).toBeLessThan(MOST.candidates);
    expect(lookedPx).toBeLessThan(MOST.lookedPx);
  });

  test('joins the segments of squared paper in little more time than those of a tenth of them', async () => {
    const [few, many] = [await pixelsOf(await gridOfLines(100)), await pixelsOf(await gridOfLines(40))];
    linesIn(few);
    expect(cpuMsOf(() => linesIn(many))).toBeLessThan(3 * cpuMsOf(() => linesIn(few)));
  });
});

describe('reading a slab', () => {
  let tools: SlabTools;
  beforeAll(async () => {
    tools = await openSlabTools();
  });
  afterAll(() => tools.ocr.close());

  const picture = { data: new Uint8Array(200).fill(255), width: 20, height: 10 };
  const readings = async (tools: SlabTools, count: number) => {
    for (let i = 0; i < count; i++) await tools.ocr.read(picture, { layout: 'line' });
  };

  test('examines no other place after 60 readings, and reads nothing more after 200', async () => {
    let read = 0;
    const counting = { ...tools.ocr, read: async () => [{ ...WORD, confidence: ++read }] };
    const limited = budgeted({ ...tools, ocr: counting }, () => 0);
    await readings(limited.forPlace().words, 36);
    await readings(limited.forPlace().words, 23);
    expect(limited.mayLook()).toBe(true);
    await readings(limited.forPlace().words, 1);
    expect(limited.mayLook()).toBe(false);
    await readings(limited, 139);
    expect(await limited.ocr.read(picture, { layout: 'line' })).toHaveLength(1);
    expect(await limited.ocr.read(picture, { layout: 'line' })).toEqual([]);
    expect(read).toBe(200);
  });

  test('reads the words of one place 36 times at most, and leaves the rest to the others', async () => {
    let read = 0;
    const counting = { ...tools.ocr, read: async () => [{ ...WORD, confidence: ++read }] };
    const limited = budgeted({ ...tools, ocr: counting }, () => 0);
    await readings(limited.forPlace().words, 100);
    expect([read, limited.mayLook()]).toEqual([36, true]);
    await readings(limited.forPlace().words, 100);
    expect([read, limited.mayLook()]).toEqual([72, false]);
  });

  test('reads grade and cert of one place 36 times more, which is not a search for others', async () => {
    let read = 0;
    const counting = { ...tools.ocr, read: async () => [{ ...WORD, confidence: ++read }] };
    const limited = budgeted({ ...tools, ocr: counting }, () => 0);
    for (let i = 0; i < 5; i++) await readings(limited.forPlace().details, 100);
    expect([read, limited.mayLook()]).toEqual([180, true]);
    await readings(limited.forPlace().details, 100);
    expect([read, limited.mayLook()]).toEqual([200, false]);
  });

  test('examines no other place after 3 megapixels of print, and reads nothing more after 6', async () => {
    const limited = budgeted({ ...tools, ocr: { ...tools.ocr, read: async () => [WORD] } }, () => 0);
    const megapixel = { data: new Uint8Array(1_000_000), width: 1000, height: 1000 };
    const more = () => limited.forPlace().words.ocr.read(megapixel, { layout: 'sparse' });
    const seen: [boolean, number][] = [];
    for (let i = 0; i < 7; i++) seen.push([limited.mayLook(), (await more()).length]);
    expect(seen).toEqual([...Array(3).fill([true, 1]), ...Array(3).fill([false, 1]), [false, 0]]);
  });

  test('depends on no time of the machine below 12 s of CPU, and ends there', async () => {
    let cpuMs = 500;
    const limited = budgeted({ ...tools, ocr: { ...tools.ocr, read: async () => [WORD] } }, () => cpuMs);
    cpuMs = 12_499;
    expect(limited.mayLook()).toBe(true);
    expect(await limited.ocr.read(picture, { layout: 'line' })).toEqual([WORD]);
    cpuMs = 12_500;
    expect(limited.mayLook()).toBe(false);
    expect(await limited.ocr.read(picture, { layout: 'line' })).toEqual([]);
  });

  const NO_LABEL = testData('images', 'real-cards', 'ionos-voltorb-near.jpg');
  test.skipIf(NO_LABEL === null)('gives up a photo with much print and no label early', async () => {
    let read = 0;
    const counting: SlabTools['ocr'] = {
      ...tools.ocr,
      read: (...args) => {
        read++;
        return tools.ocr.read(...args);
      },
    };
    const found = await readSlab({ ...tools, ocr: counting }, await decodePhoto(readFileSync(NO_LABEL!), 4000));
    expect(found.kind).toBe('unreadable');
    // The last place may be one of many rows.
    expect(read).toBeLessThan(60 + 30);
  });
});

const WORD = { text: 'A', confidence: 90, x: 0, y: 0, width: 9, height: 9 };
