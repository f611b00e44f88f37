import { describe, expect, test } from 'vitest';

const script = new URL('../scripts/migrations.mjs', import.meta.url);
const { breaksIn } = (await import(script.href)) as { breaksIn(sql: string): { line: number }[] };
const linesOf = (sql: string) => breaksIn(sql).map(({ line }) => line);

describe('a migration that a running process of the version before survives', () => {
  test.each([
    ['a table', 'create table a (id int primary key);'],
    ['a column that may be null', 'alter table a add column b int;'],
    ['a column with a default', "alter table a add column b text not null default '';"],
    ['a default before not null', 'alter table a add b int default 0 not null;'],
    ['an index on another table', 'alter table a add column b int;\ncreate index c_b on c (b);'],
    ['an index on a new table', 'create table a (b int);\ncreate index a_b on a (b);'],
    ['an index', 'create index a_b on a (b);'],
    ['a constraint that goes', 'alter table a drop constraint a_b_check;'],
    ['columns that must have a value in a new table', 'create table a (id int not null, b text not null);'],
    ['a comment about a drop', '-- the next version may drop table b\ncreate table a ();'],
    ['a contract that states its version', '-- contract: unused since 1.4.0\ndrop table a;'],
  ])('%s', (_what, sql) => {
    expect(breaksIn(sql)).toEqual([]);
  });
});

describe('a migration that breaks one', () => {
  test.each([
    ['a table that goes', 'create table b ();\ndrop table a;', [2]],
    ['a column that goes', 'alter table a\n  drop column b;', [2]],
    ['a new name', 'alter table a rename column b to c;', [1]],
    ['a new type', 'alter table a alter column b type bigint;', [1]],
    ['a new type in the long form', 'alter table a alter b set data type bigint;', [1]],
    ['a value that becomes required', 'alter table a alter column b set not null;', [1]],
    ['a new column that is required', 'alter table a add column b text not null;', [1]],
    ['one of two new columns', "alter table a\n  add column b text not null,\n  add column c text default '';", [2]],
    ['a default that goes', 'alter table a alter b drop default;', [1]],
    ['a lock on everything', 'lock table a;', [1]],
    ['a computed column', 'alter table a add column b int not null generated always as (a + 1) stored;', [1]],
    ['an index while the table is locked', 'alter table a add column b int;\n\ncreate index a_b on a (b);', [1]],
    ['capitals', 'DROP TABLE a;', [1]],
    ['two at once', 'drop table a;\n\ndrop view b;', [1, 3]],
    ['a contract without a version', '-- contract: unused for long\ndrop table a;', [2]],
  ])('%s', (_what, sql, lines) => {
    expect(linesOf(sql)).toEqual(lines);
  });
});
