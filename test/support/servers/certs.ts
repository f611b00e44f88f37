import type { Sql } from '../../../src/db/client.ts';

export type CertDetails = {
  company?: string;
  certNumber: string;
  itemId?: string | null;
  gradeKey?: string | null;
  gradeLabel?: string | null;
  game?: string | null;
  state?: 'active' | 'deactivated';
  imageFront?: string | null;
  imageBack?: string | null;
};

/** A registered cert (PSA 10, active, without scans). */
export async function aCert(sql: Sql, details: CertDetails): Promise<void> {
  const { company = 'PSA', certNumber, itemId = null, gradeKey = 'psa-10', gradeLabel = 'GEM MT 10' } = details;
  const { game = null, state = 'active', imageFront = null, imageBack = null } = details;
  await sql.query(
    `insert into certs (company, cert_key, cert_number, item_id, grade_key, grade_label, game, state, image_front,
       image_back, origin)
     values ($1, ltrim($2, '0'), $2, $3, $4, $5, $6, $7, $8, $9, 'test')`,
    [company, certNumber, itemId, gradeKey, gradeLabel, game, state, imageFront, imageBack],
  );
}

/** A negative answer that is valid for six hours from `since` (`YYYY-MM-DDTHH:MM:SSZ`). */
export async function aCertMiss(
  sql: Sql,
  details: { company?: string; certKey: string; reason: string; warning?: string; since: string },
): Promise<void> {
  const { company = 'PSA', certKey, reason, warning = null, since } = details;
  await sql.query(
    `insert into cert_misses (company, cert_key, reason, warning, known_until)
     values ($1, $2, $3, $4, $5::timestamptz + interval '6 hours')`,
    [company, certKey, reason, warning, since],
  );
}
