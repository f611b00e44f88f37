import { closeIndices } from '../indices/close/close.ts';
import { CannotReopen, reopenDays } from '../indices/close/reopen.ts';
import { formatDay } from '../lib/day.ts';
import { closable } from '../pricing/closable.ts';
import { MODEL_VERSION } from '../pricing/model/params.ts';
import { reprice } from '../pricing/reprice.ts';
import type { PastVersion } from '../pricing/store/past-versions.ts';
import { upgradePrices } from '../pricing/upgrade.ts';
import { loadSubIndices } from './index-definitions.ts';
import { type JsonOption, report } from './output.ts';
import { openProgress } from './progress.ts';
import { CommandError, type CommandWorld, dayOption, EXIT, today, withWorld } from './world.ts';

/**
 * `mintmark reprice [--through YYYY-MM-DD] [--reopen YYYY-MM-DD]`: closes every day up to yesterday, or to the day given, and
 * its indices; or takes back the close of the days after the one given.
 */
export async function repriceCommand(options: JsonOption & { through?: string; reopen?: string }): Promise<void> {
  if (options.reopen !== undefined) return await reopen(dayOption('--reopen', options.reopen), options);
  const named = options.through === undefined ? null : dayOption('--through', options.through);
  await withWorld(async (world) => {
    const { through, doubt } = await closable(world.db, today());
    if (named !== null && named > through)
      throw new CommandError(
        `--through must be a day that is over (UTC), also by the database's clock: ${formatDay(through)} at most`,
      );
    if (named === null && doubt !== null) throw new CommandError(doubt, EXIT.usage);
    await repriceThrough(world, named ?? through, options);
  });
}

async function reopen(day: number, options: JsonOption): Promise<void> {
  await withWorld(async ({ db, connection }) => {
    const progress = openProgress('sales');
    const days = await reopenDays(db, connection, day, (at) =>
      progress.update(`pricing ${formatDay(at.day)}`, at.sales, at.totalSales),
    ).catch((error: unknown) => {
      throw error instanceof CannotReopen ? new CommandError(error.message) : error;
    });
    progress.end();
    report(options, { reopened: days }, () => [
      days === 0 ? `no day after ${formatDay(day)} is closed` : `${days} days after ${formatDay(day)} are open again`,
    ]);
  });
}

/** Computes prices of an earlier version of the model again, showing how far it is. */
async function upgrade(db: CommandWorld['db']): Promise<PastVersion | null> {
  const progress = openProgress('sales');
  const past = await upgradePrices(db, (at) =>
    progress.update(`version ${MODEL_VERSION}: computing ${formatDay(at.day)} again`, at.sales, at.totalSales),
  );
  progress.end();
  return past;
}

/** Closes days through `through`, showing how far it is. */
async function repriceThrough(
  { config, db }: Pick<CommandWorld, 'config' | 'db'>,
  through: number,
  options: JsonOption,
): Promise<void> {
  const subIndices = loadSubIndices(config);
  const past = await upgrade(db);
  const progress = openProgress('sales');
  const closed = await reprice(db, {
    through,
    onProgress: ({ day, sales, totalSales }) => progress.update(`closing ${formatDay(day)}`, sales, totalSales),
  });
  progress.end();
  const days = openProgress('days');
  const { levels } = await closeIndices(db, {
    through,
    subIndices,
    onProgress: (at) => days.update(`index ${at.slug} ${formatDay(at.day)}`, at.days, at.totalDays),
  });
  days.end();
  const { days: closedDays, sales } = closed;
  const closedDay = formatDay(closed.closedDay ?? through);
  const continuedFrom = past && { version: past.version, untilDay: formatDay(past.untilDay) };
  report(options, { closedDay, days: closedDays, sales, indexDays: levels, continuedFrom }, () => [
    ...(past === null
      ? []
      : [
          `prices continue with version ${MODEL_VERSION} of the model from ${formatDay(past.untilDay + 1)} on; what version ${past.version} published stays`,
        ]),
    closedDays === 0
      ? `prices are closed through ${closedDay}; nothing to do: newer sales count already, and are closed when their day is over`
      : `closed ${closedDays} days through ${formatDay(through)} with ${sales} sales`,
    ...(levels > 0 ? [`closed ${levels} index days`] : []),
  ]);
}
