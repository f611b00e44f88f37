import { rename, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { type BulkFile, type BulkFormat, FORMATS } from './bulk-folder.ts';
import type { FileColumn, FileRow, FileTable } from './file-table.ts';
import type { FileSink, WrittenFile } from './sinks/file-sink.ts';
import { parquetSink } from './sinks/parquet-sink.ts';
import { SqlitePack } from './sinks/sqlite-pack.ts';
import { csvSink, ndjsonSink } from './sinks/text-sink.ts';

type RowSource = () => AsyncIterable<readonly FileRow[]>;

const SINKS: Record<
  Exclude<BulkFormat, 'sqlite'>,
  (path: string, columns: readonly FileColumn[]) => Promise<FileSink>
> = {
  ndjson: ndjsonSink,
  csv: csvSink,
  parquet: parquetSink,
};

/** The files of one run: `files` are those of its list, `made` the names of the new ones. */
export class BulkRun {
  readonly files: BulkFile[] = [];
  readonly made: string[] = [];
  readonly #work: string;
  readonly #previous: readonly BulkFile[];
  readonly #signal: AbortSignal;
  readonly #leastFreeBytes: number;

  /** `work`: where new files are written; `previous`: those of the last list. */
  constructor({
    work,
    previous,
    signal,
    leastFreeBytes,
  }: {
    work: string;
    previous: readonly BulkFile[];
    signal: AbortSignal;
    leastFreeBytes: number;
  }) {
    this.#work = work;
    this.#previous = previous;
    this.#signal = signal;
    this.#leastFreeBytes = leastFreeBytes;
  }

  /** Takes over the files of a month, where the last list has them. */
  keep(kind: FileTable['kind'], month: string): boolean {
    const known = this.#previous.filter((file) => file.kind === kind && file.month === month);
    this.files.push(...known);
    return known.length > 0;
  }

  /** Writes rows in every format at once; a file with the bytes of that of the last list stays that one. */
  async table(table: FileTable, place: { label: string; month: string | null }, rows: RowSource): Promise<void> {
    await this.#requireRoom();
    const stem = [table.kind, place.month, place.label].filter((part) => part !== null).join('_');
    const formats = Object.keys(SINKS) as (keyof typeof SINKS)[];
    const names = formats.map((format) => `${stem}.${FORMATS[format]}`);
    const sinks: FileSink[] = [];
    const written: WrittenFile[] = [];
    try {
      for (const [i, format] of formats.entries())
        sinks.push(await SINKS[format](join(this.#work, names[i]!), table.columns));
      for await (const batch of this.#untilStopped(rows())) for (const sink of sinks) await sink.write(batch);
      for (const sink of sinks) written.push(await sink.end());
    } catch (error) {
      for (const sink of sinks) await sink.drop();
      throw error;
    }
    for (const [i, format] of formats.entries())
      await this.#add({ name: names[i]!, kind: table.kind, format, month: place.month }, written[i]!);
  }

  /** Writes the offline pack. */
  async pack(
    label: string,
    facts: Record<string, string>,
    tables: readonly (readonly [FileTable, RowSource])[],
  ): Promise<void> {
    await this.#requireRoom();
    const name = `pack_${label}.${FORMATS.sqlite}`;
    const pack = new SqlitePack(join(this.#work, name), facts);
    try {
      for (const [table, rows] of tables) await pack.add(table, this.#untilStopped(rows()));
    } catch (error) {
      await pack.drop();
      throw error;
    }
    await this.#add({ name, kind: 'pack', format: 'sqlite', month: null }, await pack.end());
  }

  async #requireRoom(): Promise<void> {
    const { bavail, bsize } = await statfs(this.#work);
    if (bavail * bsize < this.#leastFreeBytes)
      throw new Error(
        `the disk of the bulk files has less than ${this.#leastFreeBytes / 1e9} GB left: free some, or set BULK_KEEP or BULK_MONTHS lower`,
      );
  }

  async *#untilStopped(rows: AsyncIterable<readonly FileRow[]>): AsyncGenerator<readonly FileRow[]> {
    for await (const batch of rows) {
      this.#signal.throwIfAborted();
      yield batch;
    }
  }

  async #add(file: Pick<BulkFile, 'name' | 'kind' | 'format' | 'month'>, written: WrittenFile): Promise<void> {
    const { kind, format, month } = file;
    const same = this.#previous.find(
      (one) => one.kind === kind && one.format === format && one.month === month && one.sha256 === written.sha256,
    );
    if (same !== undefined) {
      this.files.push(same);
      await rm(join(this.#work, file.name));
      return;
    }
    // Caches keep a file for good: a day that is closed again, after a restore, has other names.
    const name = file.name.replace('.', `_${written.sha256.slice(0, 8)}.`);
    await rename(join(this.#work, file.name), join(this.#work, name));
    this.files.push({ ...file, ...written, name });
    this.made.push(name);
  }
}
