import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { freePort, startProgram } from '../support/program.ts';

const BLOCK = /in another terminal, a price[^`]*```\n([^`]+)```/;

test('the first three commands of README show a price, the worth of a list, and a receipt that matches', {
  timeout: 180_000,
}, async () => {
  const base = mkdtempSync(join(tmpdir(), 'mintmark-test-'));
  const port = await freePort();
  const demo = startProgram(['demo'], { MINTMARK_DATA: base, PORT: String(port) });
  await expect.poll(() => demo.output(), { timeout: 120_000, interval: 100 }).toContain('Try:');
  const run = async (command: string) =>
    (await promisify(execFile)('bash', ['-c', command.replaceAll('localhost:8080', `localhost:${port}`)])).stdout;
  const [price, worth, ...verify] = BLOCK.exec(readFileSync('README.md', 'utf8'))![1]!.trim().split('\n');
  expect(await run(price!)).toMatch(/Reference price: \*\*\$[\d,.]+\*\* close of \d+ \w+ \d{4} \(UTC\)\n- 80% range/);
  const { lines, total } = JSON.parse(await run(worth!));
  const [{ status, quantity, card, valueUsdCents }] = lines;
  expect([status, quantity, card.name, card.gradeLabel]).toEqual(['priced', 2, 'Charizard', 'PSA 9']);
  expect(total).toMatchObject({ valueUsdCents, pricedQuantity: 2 });
  expect(total.rangeUsdCents.low).toBeLessThan(valueUsdCents);
  expect(await run(verify.join('\n'))).toMatch(/^recomputed (\d+) published \1 MATCH/);
  demo.kill('SIGTERM');
  await demo.ended;
  rmSync(base, { recursive: true });
});
