import type { Db } from '../db/client.ts';
import { type AuditReport, auditIndex, mistakeLine } from '../indices/close/audit.ts';
import { CORRECTED_DAYS, correctIndex, type LeftLevel, type RestatedLevel } from '../indices/close/correct.ts';
import { type RebuildReport, rebuildIndex } from '../indices/close/rebuild.ts';
import type { IndexDefinition } from '../indices/definitions.ts';
import { counted } from '../lib/counted.ts';
import { formatDay } from '../lib/day.ts';
import { withPricesFromLedger } from '../pricing/store/from-ledger.ts';
import { indicesNamed } from './index-definitions.ts';
import { type JsonOption, report, tableOf } from './output.ts';
import { openProgress } from './progress.ts';
import { CommandError, dayOption, EXIT, withWorld } from './world.ts';

/** `mintmark index list`: every index, its scope and the day of its last level; null until enough cards qualify. */
export async function indexListCommand(options: JsonOption): Promise<void> {
  await withWorld(async ({ db, config }) => {
    const indices: (Pick<IndexDefinition, 'slug' | 'label' | 'game' | 'universe'> & { closedDay: string | null })[] =
      [];
    for (const { slug, game, label, universe } of indicesNamed(undefined, config)) {
      // A rotation that too few cards qualified for publishes no level.
      const [row] = await db.query<{ day: number | null }>('select max(day) as day from index_levels where slug = $1', [
        slug,
      ]);
      indices.push({ slug, label, game, universe, closedDay: dayText(row!.day) });
    }
    report(options, { indices }, () =>
      tableOf(
        ['index', 'last level', 'label', 'scope'],
        indices.map(({ slug, closedDay, label, game, universe }) => [
          ...[slug, closedDay ?? 'computing', label],
          [game, ...Object.entries(universe).map(([name, value]) => `${name} ${[value].flat().join('–')}`)].join(', '),
        ]),
      ),
    );
  });
}

const dayText = (day: number | null) => (day === null ? null : formatDay(day));

type AuditLines = Omit<AuditReport, 'baseDay' | 'lastDay' | 'mistakes'> & {
  baseDay: string | null;
  lastDay: string | null;
  mistakes: string[];
};

/** `mintmark index audit [--game <slug>]`: checks the chain of every published index; exit code 1 for any mistake. */
export async function indexAuditCommand(options: JsonOption & { game?: string }): Promise<void> {
  await withWorld(async ({ db, config }) => {
    const indices: AuditLines[] = [];
    for (const { slug } of indicesNamed(options.game, config)) {
      const audit = await withDays(slug, (onDay) => db.session((session) => auditIndex(session, slug, onDay)));
      const { baseDay, lastDay, mistakes, ...counts } = audit;
      const days = { baseDay: dayText(baseDay), lastDay: dayText(lastDay) };
      indices.push({ ...counts, ...days, mistakes: mistakes.map(mistakeLine) });
    }
    report(options, { indices }, () =>
      indices.flatMap(({ slug, baseDay, lastDay, levels, rotations, skipped, mistakes }) => [
        ...mistakes.map((mistake) => `${slug} ${mistake}`),
        `${slug}: ${baseDay === null ? 'computing' : `${baseDay} to ${lastDay}`}, ${counted(levels, 'level')}, ${counted(rotations, 'rotation')} (${skipped} skipped), ${counted(mistakes.length, 'mistake')}`,
      ]),
    );
    const count = indices.reduce((sum, { mistakes }) => sum + mistakes.length, 0);
    if (count > 0) throw new CommandError(counted(count, 'mistake'), EXIT.fault);
  });
}

const BECAUSE: Record<LeftLevel['because'], string> = {
  older: `older than the last ${CORRECTED_DAYS} closed days`,
  smaller: 'not off by more than 0.5%',
  chained: 'a rotation or a removal continues from the published level',
};

/**
 * `mintmark index correct --game <slug> --reason <text>`: restates the levels that the rulebook has restated, with a public
 * reason, and prints which levels stay as published. Exit code 1 for an index that has no level yet.
 */
export async function indexCorrectCommand(options: JsonOption & { game: string; reason: string }): Promise<void> {
  const reason = options.reason.trim();
  if (reason === '')
    throw new CommandError('--reason takes the text that is published with the correction', EXIT.usage);
  await withWorld(async ({ db, config }) => {
    const { slug } = indicesNamed(options.game, config)[0]!;
    const { levels, corrected, left } = await withDays(slug, (onDay) => correctIndex(db, slug, reason, onDay));
    if (levels === 0) throw new CommandError(`${slug} has no level yet: nothing could be recomputed`, EXIT.fault);
    const dated = <One extends RestatedLevel>(list: readonly One[]) =>
      list.map((one) => ({ ...one, day: formatDay(one.day) }));
    report(options, { slug, levels, corrected: dated(corrected), left: dated(left) }, () => [
      ...corrected.map((one) => `${slug} ${levelLine(one)}: corrected`),
      ...left.map((one) => `${slug} ${levelLine(one)}: left alone, corrected going forward (${BECAUSE[one.because]})`),
      `${slug}: ${counted(levels, 'level')} recomputed, ${corrected.length} corrected, ${left.length} left alone`,
    ]);
  });
}

function levelLine({ day, oldLevel, newLevel }: RestatedLevel): string {
  return `${formatDay(day)} level: published ${oldLevel}, recomputed ${newLevel}`;
}

/**
 * `mintmark index rebuild [--game <slug>] [--from <day>] [--from-ledger]`: computes levels again and compares them with what
 * was published; publishes the history where there is none. Ends with exit code 1 when they differ.
 */
export async function indexRebuildCommand(
  options: JsonOption & { game?: string; from?: string; fromLedger?: boolean },
): Promise<void> {
  const fromDay = options.from === undefined ? undefined : dayOption('--from', options.from);
  await withWorld(async ({ db, connection, config }) => {
    const indices = indicesNamed(options.game, config);
    const reports: { slug: string; done: RebuildReport }[] = [];
    const rebuildAll = async (source?: Db) => {
      for (const index of indices) reports.push({ slug: index.slug, done: await rebuild(db, source, index, fromDay) });
    };
    if (options.fromLedger) {
      const progress = openProgress('sale');
      const onProgress = ({ day, sales, totalSales }: { day: number; sales: number; totalSales: number }) =>
        progress.update(`pricing ${formatDay(day)}`, sales, totalSales);
      await withPricesFromLedger(db, connection, onProgress, async (scratch) => {
        progress.end();
        await rebuildAll(scratch);
      });
    } else await rebuildAll();
    const rebuilt = reports.map(({ slug, done }) => ({
      ...{ slug, ...done },
      differences: done.differences.map((one) => ({ ...one, day: formatDay(one.day) })),
    }));
    report(options, { indices: rebuilt }, () => reports.flatMap(({ slug, done }) => reportLines(slug, done)));
    const differing = reports.filter(({ done }) => done.differences.length > 0).length;
    if (differing > 0)
      throw new CommandError(`${differing} of ${indices.length} indices differ; nothing was written`, EXIT.fault);
  });
}

async function rebuild(
  db: Db,
  source: Db | undefined,
  index: IndexDefinition,
  fromDay: number | undefined,
): Promise<RebuildReport> {
  return await withDays(index.slug, (onDay) =>
    rebuildIndex(db, index, {
      ...(source && { source }),
      ...(fromDay !== undefined && { fromDay }),
      onProgress: ({ day, days, totalDays }) => onDay(day, days, totalDays),
    }),
  );
}

const SHOWN = 20;

function reportLines(slug: string, { levels, firstPublished, differences }: RebuildReport): string[] {
  if (firstPublished) return [`${slug}: ${counted(levels, 'level')} published`];
  if (differences.length === 0)
    return [`${slug}: ${counted(levels, 'level')} with all baskets bit-equal to what was published`];
  const shown = differences
    .slice(0, SHOWN)
    .map(
      ({ day, what, published, recomputed }) =>
        `${formatDay(day)} ${what}: published ${published}, recomputed ${recomputed}`,
    );
  const rest = differences.length > SHOWN ? `, the first ${SHOWN} shown` : '';
  return [...shown.map((line) => `${slug} ${line}`), `${slug}: ${counted(differences.length, 'difference')}${rest}`];
}

type OnDay = (day: number, days: number, totalDays: number) => void;

/** Does work on an index with a progress line of its days. */
async function withDays<Report>(slug: string, work: (onDay: OnDay) => Promise<Report>): Promise<Report> {
  const progress = openProgress('day');
  const done = await work((day, days, total) => progress.update(`${slug} ${formatDay(day)}`, days, total));
  progress.end();
  return done;
}
