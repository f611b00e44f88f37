import { randomUUID } from 'node:crypto';
import type { Sql } from '../../src/db/client.ts';
import type { SubmissionRow } from '../../src/intake/queue.ts';

/** An application that nobody sent before. */
export function anApplication(fields: Record<string, unknown> = {}) {
  return {
    shopName: `Shop ${randomUUID()}`,
    region: 'Kyoto, Japan',
    salesFormat: 'online',
    contactEmail: 'owner@shop.example',
    ...fields,
  };
}

/** A report that nobody sent before, with every field. */
export function aReport(fields: Record<string, unknown> = {}) {
  return {
    message: `The price is off by ten: ${randomUUID()}`,
    category: 'wrong_price',
    sourceUrl: 'https://shop.example/sales?id=7#top',
    cardHref: '/card/pokemon/base-base1/4-charizard-raw-B-0123abcd',
    contactEmail: 'reader@mail.example',
    ...fields,
  };
}

export async function kept(sql: Sql, id: string): Promise<SubmissionRow> {
  const [row] = await sql.query<SubmissionRow>('select * from submissions where id = $1', [id]);
  return row!;
}

export async function countKept(sql: Sql): Promise<number> {
  const [row] = await sql.query<{ count: number }>('select count(*) as count from submissions');
  return row!.count;
}
