import pino from 'pino';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { openVisionPool } from '../../../src/vision/pool/pool.ts';
import { compiledProgram } from '../../support/app.ts';
import { photographSlab } from '../../support/photos/slabs.ts';

const SLABS = [
  [1006, 'BGS', 800],
  [1012, 'CGC', 620],
] as const;

/** Width of drawn text, pixels. */
async function widthOf(text: string, font: string): Promise<number> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="2000" height="200"><rect width="2000" height="200" fill="#fff"/>
    <text x="50" y="150" font-size="100" font-weight="700" font-family="${font}">${text}</text></svg>`;
  return (await sharp(Buffer.from(svg)).trim().toBuffer({ resolveWithObject: true })).info.width;
}

test('labels are printed in fonts of their own, also where other text was drawn before', async () => {
  await Promise.all(Array.from({ length: 16 }, () => widthOf('Other text', 'sans-serif')));
  expect(await widthOf('NEAR MINT-MINT', 'Arimo')).toBeCloseTo(821, -1);
  expect(await widthOf('NEAR MINT-MINT', 'Roboto Condensed')).toBeCloseTo(698, -1);
});

test('a slab is read the same in a fresh process and after other photos, in all that is read', async () => {
  const photos = await Promise.all(
    SLABS.map(([seed, company, longSidePx]) => photographSlab(seed, company, { longSidePx })),
  );
  const pool = openVisionPool(
    { workers: 1, queue: 1, log: pino({ enabled: false }) },
    new URL('vision/pool/photo-worker.js', compiledProgram()),
  );
  const read = (at: number) => pool.run('readSlab', { bytes: photos[at]!.jpeg }, { cpuMs: 60_000 });
  const first = await read(0);
  await read(1);
  expect(await read(0)).toEqual(first);
  await pool.close();
  expect(first).toMatchObject({ kind: 'slab', company: 'BGS', grade: { key: photos[0]!.print.gradeKey } });
});
