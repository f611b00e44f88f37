import { closeIndices } from '../indices/close/close.ts';
import { CannotReopen, reopenDays } from '../indices/close/reopen.ts';
import { formatDay } from '../lib/day.ts';
import { closable } from '../pricing/closable.ts';
import { MODEL_VERSION } from '../pricing/model/params.ts';
import { reprice } from '../pricing/reprice.ts';
import { upgradePrices } from '../pricing/upgrade.ts';
import { loadSubIndices } from './index-definitions.ts';
import { openProgress } from './progress.ts';
import { CommandError, type CommandWorld, dayOption, EXIT, today, withWorld } from './world.ts';

/**
 * `mintmark reprice [--through YYYY-MM-DD] [--reopen YYYY-MM-DD]`: closes every day up to yesterday, or to the day given, and
 * its indices; or takes back the close of the days after the one given.
 */
export async function repriceCommand(options: { through?: string; reopen?: string }): Promise<void> {
  if (options.reopen !== undefined) return await reopen(dayOption('--reopen', options.reopen));
  const named = options.through === undefined ? null : dayOption('--through', options.through);
  await withWorld(async (world) => {
    const { through, doubt } = await closable(world.db, today());
    if (named !== null && named > through)
      throw new CommandError(
        `--through must be a day that is over (UTC), also by the database's clock: ${formatDay(through)} at most`,
      );
    if (named === null && doubt !== null) throw new CommandError(doubt, EXIT.usage);
    await repriceThrough(world, named ?? through);
  });
}

async function reopen(day: number): Promise<void> {
  await withWorld(async ({ db, connection }) => {
    const progress = openProgress('sales');
    const days = await reopenDays(db, connection, day, (at) =>
      progress.update(`pricing ${formatDay(at.day)}`, at.sales, at.totalSales),
    ).catch((error: unknown) => {
      throw error instanceof CannotReopen ? new CommandError(error.message) : error;
    });
    progress.end();
    console.log(
      days === 0 ? `no day after ${formatDay(day)} is closed` : `${days} days after ${formatDay(day)} are open again`,
    );
  });
}

/** Computes prices of an earlier version of the model again, showing how far it is. */
async function upgrade(db: CommandWorld['db']): Promise<void> {
  const progress = openProgress('sales');
  const past = await upgradePrices(db, (at) =>
    progress.update(`version ${MODEL_VERSION}: computing ${formatDay(at.day)} again`, at.sales, at.totalSales),
  );
  progress.end();
  if (past !== null)
    console.log(
      `prices continue with version ${MODEL_VERSION} of the model from ${formatDay(past.untilDay + 1)} on; what version ${past.version} published stays`,
    );
}

/** Closes days through `through`, showing how far it is. */
async function repriceThrough({ config, db }: Pick<CommandWorld, 'config' | 'db'>, through: number): Promise<void> {
  const subIndices = loadSubIndices(config);
  await upgrade(db);
  const progress = openProgress('sales');
  const report = await reprice(db, {
    through,
    onProgress: ({ day, sales, totalSales }) => progress.update(`closing ${formatDay(day)}`, sales, totalSales),
  });
  progress.end();
  console.log(
    report.days === 0
      ? `prices are closed through ${formatDay(report.closedDay ?? through)}; nothing to do`
      : `closed ${report.days} days through ${formatDay(through)} with ${report.sales} sales`,
  );
  const days = openProgress('days');
  const { levels } = await closeIndices(db, {
    through,
    subIndices,
    onProgress: (at) => days.update(`index ${at.slug} ${formatDay(at.day)}`, at.days, at.totalDays),
  });
  days.end();
  if (levels > 0) console.log(`closed ${levels} index days`);
}
