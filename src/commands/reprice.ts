import { closeIndices } from '../indices/close/close.ts';
import { CannotReopen, reopenDays } from '../indices/close/reopen.ts';
import { counted } from '../lib/counted.ts';
import { formatDay } from '../lib/day.ts';
import { closable } from '../pricing/closable.ts';
import { MODEL_VERSION } from '../pricing/model/params.ts';
import { reprice } from '../pricing/reprice.ts';
import { planRestart, type RestartPlan, restartPrices } from '../pricing/restart.ts';
import type { PastVersion } from '../pricing/store/past-versions.ts';
import { upgradePrices } from '../pricing/upgrade.ts';
import { confirm } from './deciding.ts';
import { loadSubIndices } from './index-definitions.ts';
import { type JsonOption, report } from './output.ts';
import { openProgress } from './progress.ts';
import { CommandError, type CommandWorld, dayOption, EXIT, today, withWorld } from './world.ts';

type RepriceCommandOptions = JsonOption & { through?: string; reopen?: string; fromStart?: boolean; yes?: boolean };

/**
 * `mintmark reprice [--through YYYY-MM-DD] [--reopen YYYY-MM-DD] [--from-start]`: closes every day up to yesterday, or to the
 * day given, and its indices; takes back the close of the days after the one given; or computes all prices from the first sale.
 */
export async function repriceCommand(options: RepriceCommandOptions): Promise<void> {
  if (options.fromStart && options.reopen !== undefined)
    throw new CommandError('--from-start and --reopen cannot be used together', EXIT.usage);
  if (options.reopen !== undefined) return await reopen(dayOption('--reopen', options.reopen), options);
  const named = options.through === undefined ? null : dayOption('--through', options.through);
  await withWorld(async (world) => {
    const { through, doubt } = await closable(world.db, today());
    if (named !== null && named > through)
      throw new CommandError(
        `--through must be a day that is over (UTC), also by the database's clock: ${formatDay(through)} at most`,
      );
    if (named === null && doubt !== null) throw new CommandError(doubt, EXIT.usage);
    const restarted = options.fromStart ? await restart(world, options) : null;
    await repriceThrough(world, named ?? through, { ...options, restarted });
  });
}

/** Asks, and computes every price again from the first sale, showing how far it is. Null where that would change nothing. */
async function restart({ db }: CommandWorld, options: RepriceCommandOptions): Promise<PastVersion | null> {
  const plan = await planRestart(db);
  if (plan === null || plan.older === 0) {
    console.error(
      'each sale of a closed day was priced on the day on which it became known: prices from the first sale would be the same',
    );
    return null;
  }
  await confirm(restartQuestion(plan), options);
  const progress = openProgress('sale');
  const past = await restartPrices(db, (at) =>
    progress.update(`computing ${formatDay(at.day)} again`, at.sales, at.totalSales),
  );
  progress.end();
  return past;
}

function restartQuestion({ sales, older, firstDay, pricedFrom, closedDay }: RestartPlan): string {
  const days = closedDay - firstDay + 1;
  return [
    `Compute every price again from the first sale on (${formatDay(firstDay)})? That is ${counted(sales, 'sale')} of ${counted(days, 'day')};`,
    `${count(older)} became known after the close of the day. Prices change at once. What was published from ${formatDay(pricedFrom)}`,
    `through ${formatDay(closedDay)} stays readable, with its receipts${firstDay < pricedFrom ? '; days before get prices for the first time' : ''}.`,
    `Receipts of the new prices begin with the next close. The time that is left is shown meanwhile.`,
  ].join(' ');
}

function count(value: number): string {
  return value.toLocaleString('en');
}

async function reopen(day: number, options: JsonOption): Promise<void> {
  await withWorld(async ({ db, connection }) => {
    const progress = openProgress('sale');
    const days = await reopenDays(db, connection, day, (at) =>
      progress.update(`pricing ${formatDay(at.day)}`, at.sales, at.totalSales),
    ).catch((error: unknown) => {
      throw error instanceof CannotReopen ? new CommandError(error.message) : error;
    });
    progress.end();
    report(options, { reopened: days }, () => [
      days === 0
        ? `no day after ${formatDay(day)} is closed`
        : `${counted(days, 'day')} after ${formatDay(day)} ${days === 1 ? 'is' : 'are'} open again`,
    ]);
  });
}

/** Computes prices of an earlier version of the model again, showing how far it is. */
async function upgrade(db: CommandWorld['db']): Promise<PastVersion | null> {
  const progress = openProgress('sale');
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
  options: JsonOption & { restarted: PastVersion | null },
): Promise<void> {
  const subIndices = loadSubIndices(config);
  const { restarted } = options;
  const past = restarted ?? (await upgrade(db));
  const progress = openProgress('sale');
  const closed = await reprice(db, {
    through,
    onProgress: ({ day, sales, totalSales }) => progress.update(`closing ${formatDay(day)}`, sales, totalSales),
  });
  progress.end();
  const days = openProgress('day');
  const { levels } = await closeIndices(db, {
    through,
    subIndices,
    onProgress: (at) => days.update(`index ${at.slug} ${formatDay(at.day)}`, at.days, at.totalDays),
  });
  days.end();
  const { days: closedDays, sales } = closed;
  const closedDay = closed.closedDay === null ? null : formatDay(closed.closedDay);
  const continuedFrom = past && { version: past.version, untilDay: formatDay(past.untilDay) };
  report(options, { closedDay, days: closedDays, sales, indexDays: levels, continuedFrom }, () => [
    ...(past === null
      ? []
      : restarted !== null
        ? [
            `prices are computed from the first sale; what was published through ${formatDay(past.untilDay)} stays, receipts go on with the next close`,
          ]
        : [
            `prices continue with version ${MODEL_VERSION} of the model from ${formatDay(past.untilDay + 1)} on; what version ${past.version} published stays`,
          ]),
    closedDay === null
      ? 'no sale counts yet, so no day was closed: import sales first'
      : closedDays === 0
        ? `prices are closed through ${closedDay}; nothing to do: newer sales count already, and are closed when their day is over`
        : `closed ${counted(closedDays, 'day')} through ${formatDay(through)} with ${counted(sales, 'sale')}`,
    ...(levels > 0 ? [`closed ${counted(levels, 'index day')}`] : []),
  ]);
}
