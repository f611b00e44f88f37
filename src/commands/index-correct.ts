import { readConfig } from '../config.ts';
import { CORRECTED_DAYS, correctIndex, type LeftLevel, type RestatedLevel } from '../indices/close/correct.ts';
import { formatDay } from '../lib/day.ts';
import { indicesNamed } from './index-definitions.ts';
import { openProgress } from './progress.ts';
import { CommandError, EXIT, withWorld } from './world.ts';

const BECAUSE: Record<LeftLevel['because'], string> = {
  older: `older than the last ${CORRECTED_DAYS} closed days`,
  smaller: 'not off by more than 0.5 %',
  chained: 'a rotation or a removal continues from the published level',
};

/**
 * `mintmark index correct --game <slug> --reason <text>`: restates the levels that the rulebook has restated, with a public
 * reason, and prints which levels stay as published. Exit code 1 for an index that has no level yet.
 */
export async function indexCorrectCommand(options: { game: string; reason: string }): Promise<void> {
  const reason = options.reason.trim();
  if (reason === '')
    throw new CommandError('--reason takes the text that is published with the correction', EXIT.usage);
  const config = readConfig();
  const { slug } = indicesNamed(options.game, config)[0]!;
  const report = await withWorld(async ({ db }) => {
    const progress = openProgress('days');
    const corrected = await correctIndex(db, slug, reason, (day, days, total) =>
      progress.update(`${slug} ${formatDay(day)}`, days, total),
    );
    progress.end();
    return corrected;
  }, config);
  const { levels, corrected, left } = report;
  if (levels === 0) throw new CommandError(`${slug} has no level yet: nothing could be recomputed`, EXIT.fault);
  for (const one of corrected) console.log(`${slug} ${line(one)}: corrected`);
  for (const one of left)
    console.log(`${slug} ${line(one)}: left alone, corrected going forward (${BECAUSE[one.because]})`);
  console.log(`${slug}: ${levels} levels recomputed, ${corrected.length} corrected, ${left.length} left alone`);
}

function line({ day, oldLevel, newLevel }: RestatedLevel): string {
  return `${formatDay(day)} level: published ${oldLevel}, recomputed ${newLevel}`;
}
