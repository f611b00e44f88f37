import { issueKey, listKeys, revokeKey, rotateKey } from '../access/keys.ts';
import { loadPepper, pepperPath } from '../access/pepper.ts';
import { confirm } from './deciding.ts';
import { type JsonOption, report, tableOf } from './output.ts';
import { CommandError, EXIT, withWorld } from './world.ts';

/** `mintmark keys issue <label>` */
export async function keysIssueCommand(label: string, options: JsonOption): Promise<void> {
  await withWorld(async ({ db, config }) => {
    const key = await issueKey(db, await loadPepper(db, pepperPath(config)), label);
    report(options, key, () => secretLines(key));
  });
}

/** `mintmark keys rotate <id> [--overlap-hours <n>]` */
export async function keysRotateCommand(id: string, options: JsonOption & { overlapHours: string }): Promise<void> {
  const { overlapHours: hours } = options;
  if (!/^\d{1,4}$/.test(hours))
    throw new CommandError('--overlap-hours takes a whole number from 0 to 9999', EXIT.usage);
  await withWorld(async ({ db, config }) => {
    const secret = await rotateKey(db, await loadPepper(db, pepperPath(config)), id, Number(hours));
    if (secret === null) throw new CommandError(`there is no live key ${id}`);
    report(options, { id, secret }, () => [
      ...secretLines({ id, secret }),
      `The old secret stays valid for ${hours} hours.`,
    ]);
  });
}

/** `mintmark keys revoke <id>`: asks at a terminal, since it cannot be taken back. */
export async function keysRevokeCommand(id: string, options: JsonOption & { yes?: boolean }): Promise<void> {
  await withWorld(async ({ db }) => {
    const key = process.stdin.isTTY
      ? (await listKeys(db)).find((one) => one.id === id && one.revoked_at === null)
      : null;
    if (key) await confirm(`Revoke ${id} (${key.label})? Its holder is rejected from now on.`, options);
    if (!(await revokeKey(db, id))) throw new CommandError(`there is no live key ${id}`);
    report(options, { id, revoked: true }, () => [`${id} is revoked`]);
  });
}

/** `mintmark keys list` */
export async function keysListCommand(options: JsonOption): Promise<void> {
  await withWorld(async ({ db }) => {
    const keys = (await listKeys(db)).map(({ id, label, created_at, revoked_at, previous_until }) => ({
      ...{ id, label, createdAt: created_at, revokedAt: revoked_at, previousUntil: previous_until },
    }));
    report(options, { keys }, () =>
      tableOf(
        ['key', 'created', 'revoked', 'label'],
        keys.map(({ id, createdAt, revokedAt, label }) => [id, createdAt, revokedAt, label]),
      ),
    );
  });
}

/** `mintmark keys usage` */
export async function keysUsageCommand(options: JsonOption): Promise<void> {
  await withWorld(async ({ db }) => {
    // Includes units that processes have taken in advance: unspent ones are returned within seconds.
    const usage = await db.query<{ id: string; label: string; policy: string; taken: number }>(
      `select k.id, k.label, q.policy, q.taken from quota_budgets q join api_keys k on 'key:' || k.id = q.subject
       where q.window_day = floor(extract(epoch from now()) / 86400)::int order by q.taken desc, k.id`,
    );
    report(options, { usage }, () =>
      usage.length === 0
        ? ['no key has taken a unit today (UTC)']
        : tableOf(
            ['key', 'policy', 'taken', 'label'],
            usage.map(({ id, policy, taken, label }) => [id, policy, taken, label]),
          ),
    );
  });
}

function secretLines({ id, secret }: { id: string; secret: string }): string[] {
  return [`X-Api-Key: ${id}`, `X-Api-Secret: ${secret}`, 'The secret is shown this once; only its hash is kept.'];
}
