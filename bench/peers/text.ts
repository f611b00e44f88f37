import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { ClientConfig } from 'pg';
import type { Db } from '../../src/db/client.ts';
import { halfOf, readJudged } from '../../test/support/judged/judged-set.ts';
import { compiledProgram } from '../compiled-program.ts';
import { quantile } from '../http/http-load.ts';
import { judgedHits, missingSets, within } from '../search/judged-hits.ts';
import type { Row } from './table.ts';
import { TEXT_ENGINES, type TextEngineName } from './text-engines.ts';
import type { TextReport, TextTask } from './text-process.ts';

/** The judged queries by each text search, in a process of its own: the held-out half decides how often a first hit is right. */
export async function compareText(db: Db, connection: ClientConfig): Promise<Row[]> {
  const judged = readJudged();
  const [missing] = await missingSets(db, judged);
  if (missing !== undefined) throw new Error(`the set ${missing} is not in this database: it needs the real catalogs`);
  const [{ items }] = (await db.query('select count(*)::int as items from items where removed_at is null')) as [
    { items: number },
  ];
  const subject = `text, ${items.toLocaleString('en')} items, ${judged.length} queries`;
  const program = await compiledProgram('peers/text-process');
  const rows: Row[] = [];
  for (const engine of Object.keys(TEXT_ENGINES) as TextEngineName[]) {
    const task: TextTask = { engine, connection, queries: judged.map(({ q }) => q) };
    const { found, costs, buildCpuMs, residentMb, fileMb } = await answersOf(program, task);
    const held = (await judgedHits(db, judged, found)).filter(({ q }) => halfOf(q) === 'held-out');
    const cpuMs = costs.map((cost) => cost.cpuMs);
    const [p50, p99] = [0.5, 0.99].map((share) => quantile(cpuMs, share).toFixed(2));
    const files = fileMb === 0 ? '' : ` and a file of ${fileMb.toFixed(0)} MB`;
    const figures = [
      `first hit right ${within(held, 1).toFixed(3)}, among five ${within(held, 5).toFixed(3)} (held-out half)`,
      `CPU of a query p50 ${p50}, p99 ${p99} ms`,
      `${residentMb.toFixed(0)} MB${files}`,
      `built in ${(buildCpuMs / 1000).toFixed(1)} s CPU`,
    ];
    rows.push({ subject, engine, figures });
  }
  return rows;
}

async function answersOf(program: string, task: TextTask): Promise<TextReport> {
  const child = fork(program, { execArgv: ['--expose-gc'] });
  child.send(task);
  const ended = once(child, 'exit').then(() => {
    throw new Error(`${task.engine} ended without an answer`);
  });
  ended.catch(() => {});
  const [report] = (await Promise.race([once(child, 'message'), ended])) as [TextReport];
  await ended.catch(() => {});
  return report;
}
