import type { ReadCert } from '../../catalog/cert.ts';
import { MAX_EXTERNAL_IDS, OPERATOR_SPACE } from '../../catalog/external-ids.ts';
import { gradeOf } from '../../catalog/grades.ts';
import type { Db, Sql } from '../../db/client.ts';
import { dayOf } from '../../lib/day.ts';
import type { CertRecord, GraderAnswer } from '../graders/grader.ts';
import { noRecordWarning } from '../reasons.ts';
import type { Reason } from '../shapes.ts';
import { registerCerts } from './register.ts';

/** An unknown cert is not queried again so soon; an outage may be over sooner. */
export const MISS_MS = 6 * 3_600_000;
export const OUTAGE_MS = 5 * 60_000;

export type Miss = { reason: Reason; warning: string; forMs: number };

/** Keeps a negative answer, so that it does not cost a valuation twice. */
export async function keepMiss(sql: Sql, cert: ReadCert, miss: Miss, nowMs: number): Promise<void> {
  await sql.query(
    `insert into cert_misses (company, cert_key, reason, warning, known_until) values ($1, $2, $3, $4, $5)
     on conflict (company, cert_key) do update set reason = $3, warning = $4, known_until = $5`,
    [cert.company, cert.key, miss.reason, miss.warning, new Date(nowMs + miss.forMs)],
  );
}

/** Deletes expired negative answers; returns how many. */
export async function dropOldMisses(sql: Sql, nowMs: number): Promise<number> {
  return (await sql.query('delete from cert_misses where known_until < $1 returning 1', [new Date(nowMs)])).length;
}

/** Registers what a grader reported of a cert, without its card. No cached response changes by it. */
export async function keepRecord(
  { db, baseUrl, clock }: { db: Db; baseUrl: string; clock: () => number },
  cert: ReadCert,
  record: CertRecord,
): Promise<void> {
  const { company, label, gradeText, isDeactivated, images, graderId, population } = record;
  const row = {
    cert,
    itemId: null,
    label: label.text,
    gradeKey: gradeOf(company, gradeText)?.key ?? null,
    gradeLabel: gradeText,
    game: null,
    year: label.year,
    state: isDeactivated ? ('deactivated' as const) : ('active' as const),
    imageFront: siteRelative(images?.front ?? null, baseUrl),
    imageBack: siteRelative(images?.back ?? null, baseUrl),
  };
  await db.transaction(async (session) => {
    await registerCerts(session, [row], { origin: graderId, importId: null });
    await session.query(
      `update certs set spec_id = $3, population_at_grade = $4, population_higher = $5, population_day = $6
       where company = $1 and cert_key = $2`,
      [cert.company, cert.key, record.specId, population?.atGrade, population?.higher, population && dayOf(clock())],
    );
  });
}

/** Stores the card of a registered cert that has none; the grader's number of it becomes an external id of the card. */
export async function keepItem(sql: Sql, cert: ReadCert, itemId: string): Promise<void> {
  const space = `${cert.company.toLowerCase()}-spec`;
  await sql.query(
    `with kept as (
       update certs c set item_id = i.id, game = i.game, updated_at = now() from items i
       where i.id = $3 and c.company = $1 and c.cert_key = $2 and c.item_id is null
       returning i.id, array[$4 || ' ' || c.spec_id] as ids, c.spec_id
     )
     insert into item_sources as s (space, source_id, item_id, external_ids)
     select $5, id::text, id, ids from kept where spec_id is not null
     on conflict (space, source_id) do update set external_ids = s.external_ids || excluded.external_ids
     where s.import_id is null and not s.external_ids @> excluded.external_ids
       and cardinality(s.external_ids) < ${MAX_EXTERNAL_IDS}`,
    [cert.company, cert.key, itemId, space, OPERATOR_SPACE + space],
  );
}

/** Scans that this service serves are kept without its own address, which may change. */
function siteRelative(address: string | null, baseUrl: string): string | null {
  return address?.startsWith(`${baseUrl}/`) ? address.slice(baseUrl.length) : address;
}

/** The negative answer for a grader's answer without a record; null for one that did not come in time. */
export function missOf(grader: string, answer: Exclude<GraderAnswer, { kind: 'found' }> | null): Miss {
  if (answer?.kind === 'unknown') return { reason: 'not_ingested', warning: noRecordWarning(grader), forMs: MISS_MS };
  // A grader that is down says nothing about the cert: the client should try again later.
  const why = answer?.message ?? `${grader} did not answer in time.`;
  return { reason: 'compute_incomplete', warning: `${why} Try again in some minutes.`, forMs: OUTAGE_MS };
}
