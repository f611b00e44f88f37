import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Db, openDb, type Session } from '../../src/db/client.ts';
import { type LockWait, lockTransaction, sentenceOfWait, withLock } from '../../src/db/locks.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';

let database: FreshDatabase;
let waiting: Db;
let waits: LockWait[];
beforeAll(async () => {
  database = await freshDatabase();
  const connection = { ...database.connection, fallback_application_name: 'mintmark waiting' };
  // One connection: what reports a wait needs none of the pool.
  waiting = openDb({ connection, poolSize: 1, onWait: (wait) => waits.push(wait) });
  await database.db.query('create table tried (id int primary key)');
});
afterAll(async () => {
  await waiting.close();
  await database.close();
});
/** Runs `work` of the waiting process while another one has what `hold` takes, until a wait is reported. */
async function waitFor(
  hold: (session: Session) => Promise<unknown>,
  work: (session: Session) => Promise<unknown>,
  isEnough = () => true,
) {
  const connection = { ...database.connection, application_name: 'mintmark import sales' };
  const holding = openDb({ connection, poolSize: 1 });
  let working: Promise<unknown> | undefined;
  waits = [];
  const holder = await holding.transaction(async (session) => {
    await hold(session);
    working = waiting.transaction(async (inner) => {
      inner.reportWaits(50);
      await work(inner);
    });
    await expect.poll(() => waits.length > 0 && isEnough()).toBe(true);
    const [row] = await session.query<{ pid: number; since: Date; connected: Date }>(
      `select pid, xact_start as since, backend_start as connected from pg_stat_activity where pid = pg_backend_pid()`,
    );
    return row!;
  });
  await working;
  await holding.close();
  expect(waits).toHaveLength(1);
  return { wait: waits[0]!, holder };
}

describe('a wait for a lock is reported with what it is for, who has it and since when:', () => {
  test.each(['ledger', 'migrate', 'indices'] as const)('the lock of %s', async (lock) => {
    const { wait, holder } = await waitFor(
      (session) => lockTransaction(session, lock),
      (session) => withLock(session, lock, async () => {}),
    );
    const subject = { ledger: 'the ledger', migrate: 'migrations', indices: 'closing indices' }[lock];
    expect(wait).toEqual({
      waitsFor: `the lock of ${subject}`,
      holderPid: holder.pid,
      holder: 'mintmark import sales',
      inTransactionSince: holder.since,
      connectedSince: holder.connected,
    });
    const second = holder.since.toISOString().slice(0, 19);
    expect(sentenceOfWait(wait)).toBe(
      `waiting for the lock of ${subject}: mintmark import sales has it (PostgreSQL process ${holder.pid}, in a transaction since ${second}Z). This goes on when it is free.`,
    );
  });

  test('a table, and a row', async () => {
    const table = await waitFor(
      (session) => session.query('lock table tried'),
      (session) => session.query('select from tried'),
    );
    expect(table.wait.waitsFor).toBe('table tried');
    const row = await waitFor(
      (session) => session.query('insert into tried values (1)'),
      (session) => session.query('insert into tried values (1) on conflict do nothing'),
    );
    expect(row.wait).toMatchObject({ waitsFor: 'rows that are being changed', holderPid: row.holder.pid });
  });

  test('of those in a queue, the one that has it', async () => {
    const { db } = database;
    let queued: Promise<unknown> | undefined;
    const { wait, holder } = await waitFor(
      async (session) => {
        await lockTransaction(session, 'vectors');
        queued = db.transaction((third) => lockTransaction(third, 'vectors'));
        const ungranted = `select from pg_locks where locktype = 'advisory' and not granted`;
        await expect.poll(() => db.query(ungranted)).toHaveLength(1);
      },
      (session) => lockTransaction(session, 'vectors'),
    );
    await queued;
    expect(wait.holderPid).toBe(holder.pid);
  });

  test('where it has no transaction, since when it is connected', () => {
    const connectedSince = new Date('2026-11-26T10:02:11.123Z');
    const wait = { waitsFor: 'the lock of tags', holderPid: 7, holder: null, inTransactionSince: null, connectedSince };
    expect(sentenceOfWait(wait)).toBe(
      'waiting for the lock of tags: another program has it (PostgreSQL process 7, connected since 2026-11-26T10:02:11Z). This goes on when it is free.',
    );
  });
});

test('work that is slow but waits for nobody reports nothing; and one holder is reported once', async () => {
  waits = [];
  await waiting.session(async (session) => {
    session.reportWaits(1);
    await session.query('select pg_sleep(0.3)');
  });
  expect(waits).toEqual([]);
  let tries = 0;
  await waitFor(
    (session) => lockTransaction(session, 'ledger'),
    async (session) => {
      await session.query(`set local lock_timeout = 300; savepoint before`);
      for (let at = 0; at < 3; at++) {
        await lockTransaction(session, 'ledger').catch(() => {});
        await session.query('rollback to savepoint before');
        tries++;
      }
      await session.query('set local lock_timeout = 0');
      await lockTransaction(session, 'ledger');
    },
    () => tries === 3,
  );
});
