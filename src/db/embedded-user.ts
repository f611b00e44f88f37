import { spawnSync } from 'node:child_process';
import { EmbeddedError } from './embedded-error.ts';

/** The user that the server runs as. `switchTo` is what a spawn needs to become that user: empty when it is ourselves. */
export type ServerUser = { uid: number; gid: number; switchTo: { uid?: number; gid?: number } };

/**
 * The user for the server: ourselves; as root, which PostgreSQL does not accept, the owner of the existing data folder
 * (`ownerUid`), else `postgres`, else `nobody`.
 */
export function serverUser(ownerUid: number | null): ServerUser {
  const uid = process.getuid?.();
  const gid = process.getgid?.();
  if (uid === undefined || gid === undefined) {
    throw new EmbeddedError(`The embedded PostgreSQL does not run on ${process.platform}: set DATABASE_URL.`);
  }
  if (uid !== 0) return { uid, gid, switchTo: {} };
  const names = ownerUid === null || ownerUid === 0 ? ['postgres', 'nobody'] : [String(ownerUid)];
  for (const name of names) {
    const user = lookUp(name);
    if (user !== null) return { ...user, switchTo: user };
  }
  throw new EmbeddedError(
    `PostgreSQL refuses to run as root and there is no user ${names.join(' or ')}: add one with "useradd --system postgres", run as an ordinary user, or set DATABASE_URL.`,
  );
}

/** Calls `id`, which knows every source of users of the system; an unknown number still names itself. */
function lookUp(name: string): { uid: number; gid: number } | null {
  const [uid, gid] = ['-u', '-g'].map((flag) => {
    const answer = spawnSync('id', [flag, name], { encoding: 'utf8' });
    return answer.status === 0 ? Number(answer.stdout) : null;
  });
  if (uid !== undefined && uid !== null && uid !== 0) return { uid, gid: gid ?? uid };
  return /^\d+$/.test(name) ? { uid: Number(name), gid: Number(name) } : null;
}

/** True when the user can enter and list `folder`: tried, since modes alone do not show it (access lists, read-only mounts). */
export function canEnter(user: ServerUser, folder: string): boolean {
  const tried = spawnSync('/bin/sh', ['-c', 'cd "$1" && test -x .', 'sh', folder], { ...user.switchTo, cwd: '/' });
  return tried.status === 0;
}
