import { rm } from 'node:fs/promises';
import sqlite, { type Database, type Statement } from 'node-sqlite3-wasm';
import { type FileColumn, type FileTable, plainValue } from '../file-table.ts';
import { digestFile, type WrittenFile } from './file-sink.ts';

const TYPES: Record<FileColumn['type'], string> = {
  text: 'text',
  integer: 'integer',
  real: 'real',
  boolean: 'integer',
  day: 'text',
  instant: 'text',
};

/**
 * The file is made once and read by nobody before it is whole: it needs neither a journal nor locks, and 8 MB of cache are
 * enough for rows that come in the order of their keys.
 */
const SETTINGS = `pragma journal_mode = off; pragma synchronous = off; pragma locking_mode = exclusive;
  pragma cache_size = -8000; pragma page_size = 4096`;

/** A SQLite database that tables are added to, one after another. */
export class SqlitePack {
  readonly #path: string;
  readonly #db: Database;
  #rows = 0;

  /** `facts`: what the table `about` says of it, by name. */
  constructor(path: string, facts: Record<string, string>) {
    this.#path = path;
    this.#db = new sqlite.Database(path);
    this.#db.exec(SETTINGS);
    this.#db.exec('create table about (name text primary key, value text not null) without rowid');
    for (const [name, value] of Object.entries(facts)) this.#db.run('insert into about values (?, ?)', [name, value]);
  }

  /** Adds a table with rows that come in the order of its key. */
  async add({ kind, columns, key }: FileTable, batches: AsyncIterable<readonly (readonly unknown[])[]>): Promise<void> {
    const defined = columns.map(({ name, type, optional }) => `${name} ${TYPES[type]}${optional ? '' : ' not null'}`);
    this.#db.exec(`create table ${kind} (${defined.join(', ')}, primary key (${key.join(', ')})) without rowid`);
    const insert = this.#db.prepare(`insert into ${kind} values (${columns.map(() => '?').join(', ')})`);
    try {
      for await (const rows of batches) this.#insert(insert, columns, rows);
    } finally {
      insert.finalize();
    }
  }

  #insert(insert: Statement, columns: readonly FileColumn[], rows: readonly (readonly unknown[])[]): void {
    this.#db.exec('begin');
    for (const row of rows) insert.run(row.map((value, i) => plainValue(columns[i]!, value as string | null)));
    this.#db.exec('commit');
    this.#rows += rows.length;
  }

  /** Closes it; it is whole and on the disk. */
  async end(): Promise<WrittenFile> {
    this.#db.close();
    return await digestFile(this.#path, this.#rows);
  }

  /** Closes it and removes what was written. */
  async drop(): Promise<void> {
    if (this.#db.isOpen) this.#db.close();
    await rm(this.#path, { force: true });
  }
}
