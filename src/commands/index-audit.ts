import { readConfig } from '../config.ts';
import { auditIndex, mistakeLine } from '../indices/close/audit.ts';
import { formatDay } from '../lib/day.ts';
import { indicesNamed } from './index-definitions.ts';
import { openProgress } from './progress.ts';
import { CommandError, EXIT, withWorld } from './world.ts';

/** `mintmark index audit [--game <slug>]`: checks the chain of every published index; exit code 1 for any mistake. */
export async function indexAuditCommand(options: { game?: string }): Promise<void> {
  const config = readConfig();
  const indices = indicesNamed(options.game, config);
  let mistakes = 0;
  await withWorld(async ({ db }) => {
    for (const { slug } of indices) {
      const progress = openProgress('days');
      const report = await db.session((session) =>
        auditIndex(session, slug, (day, days, total) => progress.update(`${slug} ${formatDay(day)}`, days, total)),
      );
      progress.end();
      for (const mistake of report.mistakes) console.log(`${slug} ${mistakeLine(mistake)}`);
      const { baseDay, lastDay, levels, rotations, skipped } = report;
      const span = baseDay === null ? 'computing' : `${formatDay(baseDay)} to ${formatDay(lastDay!)}`;
      console.log(
        `${slug}: ${span}, ${levels} levels, ${rotations} rotations (${skipped} skipped), ${report.mistakes.length} mistakes`,
      );
      mistakes += report.mistakes.length;
    }
  }, config);
  if (mistakes > 0) throw new CommandError(`${mistakes} mistakes`, EXIT.fault);
}
