import type { SchemaElement } from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { dayStartMs } from '../../lib/day.ts';
import type { FileColumn, FileRow } from '../file-table.ts';
import { type FileSink, openDigested } from './file-sink.ts';

/** Rows that are encoded at once: few megabytes, and enough for columns to compress well. */
const GROUP_ROWS = 20_000;

const TYPES: Record<FileColumn['type'], Pick<SchemaElement, 'type' | 'converted_type'>> = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  integer: { type: 'INT64' },
  real: { type: 'DOUBLE' },
  boolean: { type: 'BOOLEAN' },
  day: { type: 'INT32', converted_type: 'DATE' },
  instant: { type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' },
};

/** Rows as Apache Parquet, compressed by Snappy, in groups of rows. */
export async function parquetSink(path: string, columns: readonly FileColumn[]): Promise<FileSink> {
  const file = await openDigested(path);
  const bytes = new ByteWriter();
  const flush = async () => {
    const chunk = new Uint8Array(bytes.buffer, 0, bytes.index);
    await file.append(chunk);
    bytes.index = 0;
  };
  const schema: SchemaElement[] = [
    { name: 'root', num_children: columns.length },
    ...columns.map(({ name, type, optional }) => ({
      name,
      ...TYPES[type],
      repetition_type: optional ? ('OPTIONAL' as const) : ('REQUIRED' as const),
    })),
  ];
  const writer = new ParquetWriter({ writer: bytes, schema, createdBy: 'mintmark' });
  let group: FileRow[] = [];
  let count = 0;
  const writeGroup = async () => {
    const columnData = columns.map((column, i) => ({
      name: column.name,
      data: group.map((row) => stored(column, row[i]!)),
    }));
    group = [];
    await writer.write({ columnData, rowGroupSize: GROUP_ROWS });
    await flush();
  };
  return {
    async write(rows) {
      count += rows.length;
      for (const row of rows) {
        group.push(row);
        if (group.length === GROUP_ROWS) await writeGroup();
      }
    },
    async end() {
      if (group.length > 0) await writeGroup();
      await writer.finish();
      await flush();
      return await file.close(count);
    },
    drop: () => file.drop(),
  };
}

/** A value as the writer takes it: 64-bit numbers as bigint, moments as dates. */
function stored({ type }: FileColumn, value: FileRow[number]): unknown {
  if (value === null) return undefined;
  if (type === 'integer') return BigInt(value as number);
  if (type === 'day') return new Date(dayStartMs(value as number));
  return type === 'instant' ? new Date(value as number) : value;
}
