import { nearMiss } from '../lib/near-miss.ts';
import { CommandError, EXIT } from './world.ts';

type ImportCounts = {
  /** What the input consists of. */
  unit?: 'rows' | 'records' | 'files';
  total: number;
  /** In the database now, whether new or known before. */
  used: number;
  /** Not in the database, because they cannot be read or used as they are. */
  rejected: number;
  /** False for a dry run. */
  isKept?: boolean;
};

/**
 * Ends every import by one rule: returns when all of the input was used, else throws with the exit code. A sale that
 * screening keeps out of prices, or that waits for its card, is recorded: it counts as rejected only if nothing else came.
 */
export function endImport({ unit = 'rows', total, used, rejected, isKept = true }: ImportCounts): void {
  if (total === 0) throw new CommandError(`nothing was imported: there are no ${unit}`);
  const one = unit.slice(0, -1);
  if (used === 0 && rejected < total)
    throw new CommandError(
      total === 1
        ? `the ${one} does not count: the reason is above`
        : `none of the ${total} ${unit} counts: the reasons are above`,
    );
  if (used === 0)
    throw new CommandError(
      `nothing was imported: ${total === 1 ? `the ${one} could not` : `none of the ${total} ${unit} could`} be used`,
    );
  if (rejected > 0) {
    const others = isKept
      ? 'could not be used; the others were imported'
      : 'could not be used; the others would be imported';
    throw new CommandError(`${rejected} of ${total} ${unit} ${others}`, EXIT.incomplete);
  }
}

/** The format of this name. Throws a usage error that lists the known ones. */
export function formatNamed<Format extends { name: string }>(
  formats: readonly Format[],
  name: string,
  kind: string,
): Format {
  const format = formats.find((one) => one.name === name);
  if (format !== undefined) return format;
  const names = formats.map((one) => one.name);
  const meant = nearMiss(name, names);
  const advice = meant === null ? `there is ${names.join(', ')}` : `did you mean ${meant}? --help lists them all`;
  throw new CommandError(`there is no ${kind} format "${name}"; ${advice}`, EXIT.usage);
}
