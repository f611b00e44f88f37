import { readConfig } from '../config.ts';
import type { Db } from '../db/client.ts';
import { type RebuildReport, rebuildIndex } from '../indices/close/rebuild.ts';
import { withPricesFromLedger } from '../indices/close/scratch.ts';
import type { IndexDefinition } from '../indices/definitions.ts';
import { formatDay, parseDay } from '../lib/day.ts';
import { indicesNamed } from './index-definitions.ts';
import { openProgress } from './progress.ts';
import { CommandError, EXIT, withWorld } from './world.ts';

const SHOWN = 20;

/**
 * `mintmark index rebuild [--game <slug>] [--from <day>] [--from-ledger]`: computes levels again and compares them with what
 * was published; publishes the history where there is none. Ends with exit code 1 when they differ.
 */
export async function indexRebuildCommand(options: {
  game?: string;
  from?: string;
  fromLedger?: boolean;
}): Promise<void> {
  const fromDay = options.from === undefined ? undefined : parseDay(options.from);
  if (fromDay === null) throw new CommandError('--from takes a day as YYYY-MM-DD', EXIT.usage);
  const config = readConfig();
  const indices = indicesNamed(options.game, config);
  let differing = 0;
  await withWorld(async ({ db, connection }) => {
    const rebuildAll = async (source: Db | undefined) => {
      for (const index of indices) differing += (await rebuild(db, source, index, fromDay)) ? 0 : 1;
    };
    if (!options.fromLedger) return await rebuildAll(undefined);
    const progress = openProgress('sales');
    const onProgress = ({ day, sales, totalSales }: { day: number; sales: number; totalSales: number }) =>
      progress.update(`pricing ${formatDay(day)}`, sales, totalSales);
    await withPricesFromLedger(db, connection, onProgress, async (scratch) => {
      progress.end();
      await rebuildAll(scratch);
    });
  }, config);
  if (differing > 0)
    throw new CommandError(`${differing} of ${indices.length} indices differ; nothing was written`, EXIT.fault);
}

/** True when nothing differs. */
async function rebuild(
  db: Db,
  source: Db | undefined,
  index: IndexDefinition,
  fromDay: number | undefined,
): Promise<boolean> {
  const progress = openProgress('days');
  const report = await rebuildIndex(db, index, {
    ...(source && { source }),
    ...(fromDay !== undefined && { fromDay }),
    onProgress: ({ slug, day, days, totalDays }) => progress.update(`${slug} ${formatDay(day)}`, days, totalDays),
  });
  progress.end();
  for (const line of reportLines(index.slug, report)) console.log(line);
  return report.differences.length === 0;
}

function reportLines(slug: string, { levels, firstPublished, differences }: RebuildReport): string[] {
  if (firstPublished) return [`${slug}: ${levels} levels published`];
  if (differences.length === 0)
    return [`${slug}: ${levels} levels and their baskets are bit-equal to what was published`];
  return [
    ...differences
      .slice(0, SHOWN)
      .map(
        (one) => `${slug} ${formatDay(one.day)} ${one.what}: published ${one.published}, recomputed ${one.recomputed}`,
      ),
    `${slug}: ${differences.length} differences${differences.length > SHOWN ? `, the first ${SHOWN} shown` : ''}`,
  ];
}
