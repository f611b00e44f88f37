import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openDb } from '../../src/db/client.ts';
import type { LockWait } from '../../src/db/locks.ts';
import { migrate } from '../../src/db/migrate.ts';
import { emptyDatabase, type FreshDatabase, freshDatabase } from '../support/database/database.ts';

describe('migrations', () => {
  let database: FreshDatabase;
  let folder: string;
  const at = () => pathToFileURL(`${folder}/`);
  const write = (name: string, sql: string) => writeFileSync(join(folder, name), sql);

  beforeEach(async () => {
    database = await emptyDatabase();
    folder = mkdtempSync(join(tmpdir(), 'mintmark-migrations-'));
    write('0001_one.sql', 'create table one (a int);');
    write('0002_two.sql', 'create table two (a int); insert into two values (1);');
  });
  afterEach(async () => {
    await database.close();
    rmSync(folder, { recursive: true });
  });

  test('are applied in the order of their names, once', async () => {
    expect(await migrate(database.db, at())).toEqual({ applied: ['0001_one.sql', '0002_two.sql'] });
    write('0003_three.sql', 'alter table two rename to three;');
    expect(await migrate(database.db, at())).toEqual({ applied: ['0003_three.sql'] });
    expect(await migrate(database.db, at())).toEqual({ applied: [] });
    expect(await database.db.query('select a from three')).toEqual([{ a: 1 }]);
  });

  test('of processes that start together are applied once', async () => {
    const other = openDb({ connection: database.connection, poolSize: 1 });
    const results = await Promise.all([migrate(database.db, at()), migrate(other, at()), migrate(database.db, at())]);
    await other.close();
    expect(results.map((result) => result.applied.length).sort()).toEqual([0, 0, 2]);
  });

  test('that fail leave nothing of theirs and keep what was applied before', async () => {
    write('0003_three.sql', 'create table three (a int); select 1 / 0;');
    await expect(migrate(database.db, at())).rejects.toThrow(
      'Migration 0003_three.sql failed and was undone: division by zero.',
    );
    const tables = await database.db.query("select tablename from pg_tables where schemaname = 'public' order by 1");
    expect(tables.map((row) => row.tablename)).toEqual(['migrations', 'one', 'two']);
  });

  test('of indexes take each statement by itself, so that none is built twice or waits for an import to end', async () => {
    await migrate(database.db, at());
    await database.db.query('create index old_one on one (a); create index one_by_a on one (a)');
    const indexes = async () =>
      (await database.db.query(`select indexname as name from pg_indexes where tablename = 'one' order by 1`)).map(
        ({ name }) => name,
      );
    // The first is there already, as after a migration that was killed.
    write(
      '0003_three.sql',
      '-- Faster; so\ncreate index one_by_a on one (a);\ncreate unique index one_once on one (a);\ndrop index gone_before;\ndrop index old_one;\n',
    );
    const importing = openDb({ connection: database.connection, poolSize: 1 });
    let migrating: Promise<unknown> = Promise.resolve();
    await importing.transaction(async (session) => {
      await session.query('select a from one');
      migrating = migrate(database.db, at());
      await expect.poll(indexes, { timeout: 10_000 }).toContain('one_once');
      await session.query('insert into one values (1)');
      expect(await indexes()).toContain('old_one');
    });
    expect(await migrating).toEqual({ applied: ['0003_three.sql'] });
    expect(await indexes()).toEqual(['one_by_a', 'one_once']);
    expect(await migrate(database.db, at())).toEqual({ applied: [] });
    await importing.close();
  });

  describe('that change a table in use', () => {
    const waits: LockWait[] = [];
    const other = () => openDb({ connection: database.connection, poolSize: 2, onWait: (wait) => waits.push(wait) });
    beforeEach(async () => {
      await migrate(database.db, at());
      write('0003_three.sql', 'alter table one add column b int; alter table two add column b int;');
    });

    test('give way to readers and wait for the transaction that has it, and report that', async () => {
      const [importing, reading, migrating] = [other(), other(), other()];
      let migrated: Promise<unknown> | null = null;
      await importing.transaction(async (session) => {
        await session.query('insert into two values (2)');
        migrated = migrate(migrating, at());
        // Each of these would wait behind the migration until the import ends.
        for (let i = 0; i < 20; i++) {
          const read = reading.query('select from one, two').then(() => 'read');
          expect(await Promise.race([read, sleep(1500, 'waits')])).toBe('read');
          await sleep(100);
        }
        // Who has the table is asked on a connection of its own, which a busy machine may not make within one try.
        await expect.poll(() => waits.map(({ waitsFor }) => waitsFor), { timeout: 60_000 }).toContain('table two');
        // It has `two` and wants `one`; the migration may have `one` and wants `two`.
        await session.query('insert into one values (2)');
      });
      expect(await migrated).toEqual({ applied: ['0003_three.sql'] });
      expect(await reading.query('select a, b from two order by a')).toHaveLength(2);
      await Promise.all([importing.close(), reading.close(), migrating.close()]);
    });

    test.each([
      ['mintmark serve', 'select', 'canceled'],
      ['mintmark worker', 'select', 'canceled'],
      ['mintmark backup', 'select', 'read'],
      // An earlier program: a request, and a close or backup.
      ['', 'select', 'canceled'],
      ['', 'select pg_advisory_lock(714002)', 'read'],
    ])('cancel what "%s" reads after "%s" when they have waited long enough: %s', async (name, first, outcome) => {
      const reader = openDb({
        connection: { ...database.connection, fallback_application_name: name },
        poolSize: 1,
      });
      await reader.query(first);
      const reading = reader
        .query(`select pg_sleep(${outcome === 'read' ? 4 : 20}) from one right join generate_series(1, 1) on true`)
        .then(() => 'read')
        .catch(({ code }: { code: string }) => (code === '57014' ? 'canceled' : code));
      // Else the migration may have the table first.
      const asleep = `select from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()`;
      await expect.poll(async () => (await database.db.query(asleep)).length, { timeout: 10_000 }).toBe(1);
      const migrated = migrate(database.db, at(), { cancelAfterMs: 1000, giveUpMs: 60_000 });
      expect(await Promise.race([reading, sleep(1000, 'reads')])).toBe('reads');
      expect(await reading).toBe(outcome);
      expect(await migrated).toEqual({ applied: ['0003_three.sql'] });
      await reader.close();
    });

    test('do not cancel what has written', async () => {
      const importing = openDb({
        connection: { ...database.connection, fallback_application_name: 'mintmark worker' },
        poolSize: 1,
      });
      let migrated: Promise<unknown> | null = null;
      await importing.transaction(async (session) => {
        await session.query('insert into two values (2)');
        migrated = migrate(database.db, at(), { cancelAfterMs: 0, giveUpMs: 60_000 });
        await session.query('select pg_sleep(2) from two');
      });
      expect(await migrated).toEqual({ applied: ['0003_three.sql'] });
      expect(await importing.query('select a from two')).toHaveLength(2);
      await importing.close();
    });

    test('give up in the end, with what to do', async () => {
      const importing = other();
      await importing.transaction(async (session) => {
        await session.query('insert into two values (2)');
        const outcome = migrate(database.db, at(), { cancelAfterMs: 0, giveUpMs: 0 }).catch(
          (error: Error) => error.message,
        );
        expect(await Promise.race([outcome, sleep(10_000, 'goes on')])).toContain(
          'Migration 0003_three.sql waits for a table that another process has: run it again when imports',
        );
      });
      await importing.close();
      expect(await migrate(database.db, at())).toEqual({ applied: ['0003_three.sql'] });
    });
  });

  test('that were applied must not change', async () => {
    await migrate(database.db, at());
    write('0001_one.sql', 'create table one (a int, b int);');
    await expect(migrate(database.db, at())).rejects.toThrow('Migration 0001_one.sql was changed after it was applied');
  });

  test('of a newer version of the program are not run over', async () => {
    write('0003_three.sql', 'create table three (a int);');
    await migrate(database.db, at());
    rmSync(join(folder, '0003_three.sql'));
    await expect(migrate(database.db, at())).rejects.toThrow('The database has migration 0003_three.sql');
  });

  test('with a wrong name or a number used twice are rejected', async () => {
    write('3_three.sql', '');
    await expect(migrate(database.db, at())).rejects.toThrow('Rename migrations/3_three.sql');
    rmSync(join(folder, '3_three.sql'));
    write('0002_three.sql', '');
    await expect(migrate(database.db, at())).rejects.toThrow('Two migrations have the number 0002');
  });
});

describe('a fresh database', () => {
  test('has every migration and shares nothing with another', async () => {
    const [a, b] = await Promise.all([freshDatabase(), freshDatabase()]);
    await a.db.query("insert into imports (kind, format) values ('sales', 'csv')");
    expect(await b.db.query('select 1 from imports')).toEqual([]);
    expect(await migrate(b.db)).toEqual({ applied: [] });
    await Promise.all([a.close(), b.close()]);
  });
});
