import { closeIndices } from '../indices/close.ts';
import { formatDay, parseDay } from '../lib/day.ts';
import { reprice } from '../pricing/reprice.ts';
import { loadSubIndices } from './index-definitions.ts';
import { openProgress } from './progress.ts';
import { CommandError, today, type World, withWorld } from './world.ts';

/** `mintmark reprice [--through YYYY-MM-DD]`: closes every day up to yesterday, or to the day given, and its indices. */
export async function repriceCommand(options: { through?: string }): Promise<void> {
  const through = options.through === undefined ? today() - 1 : parseDay(options.through);
  if (through === null) throw new CommandError('--through takes a day as YYYY-MM-DD');
  if (through >= today()) throw new CommandError('--through must be a day that is over (UTC)');
  await withWorld((world) => repriceThrough(world, through));
}

/** Closes days through `through`, showing how far it is. */
export async function repriceThrough({ config, db }: Pick<World, 'config' | 'db'>, through: number): Promise<void> {
  const subIndices = loadSubIndices(config);
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
