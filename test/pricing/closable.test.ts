import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { JOBS, type JobContext } from '../../src/jobs.ts';
import { dayStartMs, formatDay } from '../../src/lib/day.ts';
import { closable } from '../../src/pricing/closable.ts';
import { closedDay } from '../../src/pricing/read/quotes.ts';
import { reprice } from '../../src/pricing/reprice.ts';
import { anItem, aSale } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { databaseUrlOf, runProgram } from '../support/program.ts';

let database: FreshDatabase;
/** The day of the database's clock, which no test can move. */
let today: number;
let itemId: string;
beforeEach(async () => {
  database = await freshDatabase();
  const [row] = await database.db.query<{ day: number }>('select floor(extract(epoch from now()) / 86400)::int as day');
  today = row!.day;
  itemId = await anItem(database.db);
});
afterEach(() => database.close());

const soldOn = (day: number, rejection?: string) =>
  aSale(database.db, { itemId, sold: formatDay(day), ...(rejection !== undefined && { rejection }) });

describe('the last day that may be closed', () => {
  test("is over by the process's clock and by the database's", async () => {
    expect(await closable(database.db, today)).toEqual({ through: today - 1, doubt: null });
    expect(await closable(database.db, today + 400)).toEqual({ through: today - 1, doubt: null });
    expect(await closable(database.db, today - 3)).toEqual({ through: today - 4, doubt: null });
  });

  test('is in doubt after more than fourteen days without a sale, but not at the first close', async () => {
    await soldOn(today - 400);
    expect((await closable(database.db, today)).doubt).toBeNull();
    await reprice(database.db, { through: today - 16 });
    expect((await closable(database.db, today - 1)).doubt).toBeNull();
    expect(await closable(database.db, today)).toEqual({
      through: today - 1,
      doubt: `The 15 days from ${formatDay(today - 15)} to ${formatDay(today - 1)} have no sale: if the clock is right, close them with "mintmark reprice --through ${formatDay(today - 1)}".`,
    });
    await soldOn(today - 5, 'future');
    expect((await closable(database.db, today)).doubt).not.toBeNull();
    await soldOn(today - 15);
    expect((await closable(database.db, today)).doubt).toBeNull();
  });
});

describe('a clock that steps ahead', () => {
  test('closes nothing through the worker, whose log says what to do', async () => {
    await soldOn(today - 60);
    await reprice(database.db, { through: today - 59 });
    const lines: string[] = [];
    const log = pino({ level: 'error' }, { write: (line: string) => void lines.push(line) });
    const close = JOBS.find(({ name }) => name === 'close_days')!;
    const context = { db: database.db, log, clock: () => dayStartMs(today + 700), subIndices: [] };
    await close.run(context as unknown as JobContext);
    expect(await closedDay(database.db)).toBe(today - 59);
    expect(lines.join('')).toMatch(/The 58 days .* have no sale: if the clock is right/);
    // With sales of those days there is no doubt, and the database's clock is the limit.
    await soldOn(today - 2);
    await close.run(context as unknown as JobContext);
    expect(await closedDay(database.db)).toBe(today - 1);
  });

  test('is reported by reprice, which then closes the days that are named', async () => {
    await soldOn(today - 60);
    await reprice(database.db, { through: today - 59 });
    const folder = mkdtempSync(join(tmpdir(), 'mintmark-test-'));
    const env = { DATABASE_URL: databaseUrlOf(database.connection), MINTMARK_DATA: folder };
    const asked = await runProgram(['reprice'], env);
    expect(asked).toMatchObject({ code: 2, output: expect.stringMatching(/^mintmark: The 58 days [^\n]+\n$/) });
    const tomorrow = await runProgram(['reprice', '--through', formatDay(today)], env);
    expect(tomorrow.output).toContain(`also by the database's clock: ${formatDay(today - 1)} at most`);
    expect(await closedDay(database.db)).toBe(today - 59);
    const named = await runProgram(['reprice', '--through', formatDay(today - 1)], env);
    expect(named).toMatchObject({ code: 0 });
    expect(await closedDay(database.db)).toBe(today - 1);
    const back = await runProgram(['reprice', '--reopen', formatDay(today - 59)], env);
    expect(back).toMatchObject({ code: 0, output: expect.stringContaining('58 days after') });
    expect(await closedDay(database.db)).toBe(today - 59);
    rmSync(folder, { recursive: true });
  });
});
