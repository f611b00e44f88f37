import { issueKey, listKeys, revokeKey, rotateKey } from '../access/keys.ts';
import { loadPepper, pepperPath } from '../access/pepper.ts';
import { CommandError, type CommandWorld, withWorld } from './world.ts';

/** `mintmark keys issue|list|rotate|revoke|usage` */
export async function keysCommand(name: keyof typeof COMMANDS, args: readonly string[]): Promise<void> {
  await withWorld((world) => COMMANDS[name](world, args));
}

const COMMANDS = { issue, list, rotate, revoke, usage };

async function issue({ db, config }: CommandWorld, [label]: readonly string[]): Promise<void> {
  const { id, secret } = await issueKey(db, await loadPepper(db, pepperPath(config)), label!);
  showSecret(id, secret);
}

async function rotate({ db, config }: CommandWorld, [id, hours]: readonly string[]): Promise<void> {
  if (!/^\d{1,4}$/.test(hours!)) throw new CommandError('--overlap-hours takes a whole number from 0 to 9999');
  const secret = await rotateKey(db, await loadPepper(db, pepperPath(config)), id!, Number(hours));
  if (secret === null) throw new CommandError(`there is no live key ${id}`);
  showSecret(id!, secret);
  console.log(`The old secret stays valid for ${hours} hours.`);
}

async function revoke({ db }: CommandWorld, [id]: readonly string[]): Promise<void> {
  if (!(await revokeKey(db, id!))) throw new CommandError(`there is no live key ${id}`);
  console.log(`${id} is revoked`);
}

async function list({ db }: CommandWorld): Promise<void> {
  for (const key of await listKeys(db)) {
    const state = key.revoked_at === null ? 'live' : `revoked ${key.revoked_at.toISOString()}`;
    console.log([key.id, key.created_at.toISOString(), state, key.label].join('\t'));
  }
}

async function usage({ db }: CommandWorld): Promise<void> {
  // Includes units that processes have taken in advance: unspent ones are returned within seconds.
  const rows = await db.query<{ id: string; label: string; policy: string; taken: number }>(
    `select k.id, k.label, q.policy, q.taken from quota_budgets q join api_keys k on 'key:' || k.id = q.subject
     where q.window_day = floor(extract(epoch from now()) / 86400)::int order by q.taken desc, k.id`,
  );
  for (const { id, label, policy, taken } of rows) console.log([id, policy, taken, label].join('\t'));
  if (rows.length === 0) console.log('no key has taken a unit today (UTC)');
}

function showSecret(id: string, secret: string): void {
  console.log(`X-Api-Key: ${id}\nX-Api-Secret: ${secret}\nThe secret is shown this once; only its hash is kept.`);
}
