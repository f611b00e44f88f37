import { channel } from 'node:diagnostics_channel';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { BYTES_READ_CHANNEL } from '../../src/catalog/formats/files.ts';
import { openProgress, watchImport } from '../../src/commands/progress.ts';
import { scratchFolder } from '../support/scratch.ts';

const { isTTY } = process.stderr;
afterEach(() => {
  vi.restoreAllMocks();
  process.stderr.isTTY = isTTY;
});

test('a file that is read twice is half done after the first time', async () => {
  const path = join(scratchFolder(), 'slabs.csv');
  writeFileSync(path, 'x'.repeat(1000));
  process.stderr.isTTY = true;
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const watch = await watchImport([path], 'row', 2);
  channel(BYTES_READ_CHANNEL).publish(1000);
  watch.update(7);
  expect(write.mock.lastCall?.[0]).toContain('7 rows: 1,000 bytes (50%)');
  watch.end();
});

test('the time that is left is not estimated from the first moments', async () => {
  process.stderr.isTTY = true;
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const now = vi.spyOn(Date, 'now').mockReturnValue(1_700_000_000_000);
  const progress = openProgress('sale');
  now.mockReturnValue(1_700_000_010_000);
  progress.update('read', 29, 1000);
  expect(write.mock.lastCall?.[0]).not.toContain('left');
  now.mockReturnValue(1_700_000_020_000);
  progress.update('read', 30, 1000);
  expect(write.mock.lastCall?.[0]).toContain('11 min left');
});

test('without a terminal it is a line every ten seconds, and nothing before', async () => {
  const path = join(scratchFolder(), 'sales.csv');
  writeFileSync(path, 'x'.repeat(1000));
  process.stderr.isTTY = false;
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const now = vi.spyOn(Date, 'now');
  const startMs = 1_800_000_000_000;
  now.mockReturnValue(startMs);
  const watch = await watchImport([path], 'row');
  channel(BYTES_READ_CHANNEL).publish(500);
  for (const seconds of [1, 9, 11, 12, 22]) {
    now.mockReturnValue(startMs + seconds * 1000);
    watch.update(seconds);
  }
  watch.end();
  expect(write.mock.calls.map(([text]) => text)).toEqual([
    expect.stringMatching(/^11 rows: 500 bytes \(50%\), 45 bytes\/s, 11 s left\n$/),
    expect.stringMatching(/^22 rows: 500 bytes \(50%\).*\n$/),
    expect.stringMatching(/^22 rows: 1,000 bytes \(100%\), 45 bytes\/s\n$/),
  ]);
});

test('without a terminal, work after work does not begin the ten seconds anew; work after a pause does', () => {
  process.stderr.isTTY = false;
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const now = vi.spyOn(Date, 'now');
  const startMs = 1_900_000_000_000;
  const work = (unit: string, from: number, to: number) => {
    now.mockReturnValue(startMs + from * 1000);
    const progress = openProgress(unit);
    now.mockReturnValue(startMs + to * 1000);
    progress.update('read', 5, null);
    progress.end();
  };
  work('record', 0, 8);
  work('item', 9, 11);
  work('tag', 12, 20);
  work('day', 40, 49);
  expect(write.mock.calls.map(([text]) => text)).toEqual([expect.stringMatching(/^read: 5 items, .*\n$/)]);
});
