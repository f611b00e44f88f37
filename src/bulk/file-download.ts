import { createReadStream } from 'node:fs';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { Type } from 'typebox';
import { FOR_GOOD_SECONDS } from '../http/answer.ts';
import type { Core } from '../http/context.ts';
import { endpoint } from '../http/endpoint.ts';
import { notFound, ProblemError } from '../http/problem.ts';
import { dayOf, parseDay } from '../lib/day.ts';
import { type BulkFile, type BulkFormat, bulkFolder, readLists } from './bulk-folder.ts';
import { PACK_DAYS } from './make-bulk.ts';

const TYPES: Record<BulkFormat, string> = {
  ndjson: 'application/gzip',
  csv: 'application/gzip',
  parquet: 'application/vnd.apache.parquet',
  sqlite: 'application/vnd.sqlite3',
};

/** `GET /v1/bulk/{name}`. */
export const bulkFile = endpoint({
  id: 'bulkFile',
  summary: 'A file of `GET /v1/bulk`: gzip of NDJSON or CSV, Parquet or SQLite; Range names a part',
  params: Type.Object({ name: Type.String({ maxLength: 400, description: 'As `GET /v1/bulk` names it.' }) }),
  response: Type.String({ format: 'binary', description: 'Columns: docs/guide/bulk.md.' }),
  download: 'application/octet-stream',
  isStreamedFile: 'parts',
  policy: 'downloads',
  maxAgeSeconds: FOR_GOOD_SECONDS,
  statuses: [403, 404],
  async handle({ config, clock }: Core, { params, caller }) {
    const folder = bulkFolder(config);
    const found = await findFile(folder, params.name);
    if (found === null) throw notFound('There is no such file (any more): GET /v1/bulk lists those that are there.');
    const days = historyDaysOf(found, dayOf(clock()));
    const isPrivate = days > config.historyPublicDays;
    if (caller.tier !== 'partner' && isPrivate)
      throw new ProblemError(
        'approved_access_required',
        `Without a partner key, trade history goes back ${config.historyPublicDays} days; this file goes back ${days}. POST /v1/partners/apply asks for a key.`,
      );
    return {
      bytes: found.bytes,
      sha256: Buffer.from(found.sha256, 'hex'),
      type: TYPES[found.format],
      isPrivate,
      part: ({ from, to }) => createReadStream(join(folder, found.name), { start: from, end: to }),
    };
  },
});

/** A file that a list names and that is there. */
async function findFile(folder: string, name: string): Promise<BulkFile | null> {
  for (const { files } of await readLists(folder)) {
    const found = files.find((file) => file.name === name);
    if (found === undefined) continue;
    const isThere = await access(join(folder, name)).then(
      () => true,
      () => false,
    );
    return isThere ? found : null;
  }
  return null;
}

/** How many days of trade history a file has, today included. */
function historyDaysOf({ kind, month }: BulkFile, today: number): number {
  if (kind === 'pack') return PACK_DAYS.sales;
  return kind === 'sales' ? today - parseDay(`${month}-01`)! + 1 : 0;
}
