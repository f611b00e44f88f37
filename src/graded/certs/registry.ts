import type { ReadCert } from '../../catalog/cert.ts';
import type { GradeKey } from '../../catalog/grades.ts';
import type { Sql } from '../../db/client.ts';
import { ITEM_COLUMNS, type ItemRow } from '../../items/item-row.ts';
import type { Reason } from '../shapes.ts';

export type CertState = 'active' | 'deactivated';

/** A registered cert with its card. */
export type RegisteredCert = {
  certNumber: string;
  /** Null: the card was not identified. */
  item: ItemRow | null;
  gradeKey: GradeKey | null;
  gradeLabel: string | null;
  label: string | null;
  game: string | null;
  state: CertState;
  imageFront: string | null;
  imageBack: string | null;
  updatedAt: Date;
};

/** What the database knows of a cert: both null for one that was never heard of. */
export type KnownCert = {
  registered: RegisteredCert | null;
  /** A negative answer that still holds. */
  miss: { reason: Reason; warning: string | null } | null;
};

/** Columns of ItemRow here; all null where the cert has no card. */
type Row = { [column in keyof ItemRow]: ItemRow[column] | null } & {
  cert_number: string | null;
  grade_key: string | null;
  grade_label: string | null;
  label: string | null;
  cert_game: string | null;
  state: CertState;
  image_front: string | null;
  image_back: string | null;
  cert_updated_at: Date;
  reason: Reason | null;
  warning: string | null;
};

const knownCertsSql = (asked: string) => `
select ${ITEM_COLUMNS}, c.cert_number, c.grade_key, c.grade_label, c.label, c.game as cert_game, c.state, c.image_front, c.image_back,
  c.updated_at as cert_updated_at, m.reason, m.warning
from ${asked}
left join certs c using (company, cert_key)
left join cert_misses m on m.company = asked.company and m.cert_key = asked.cert_key and m.known_until > $3
left join items i on i.id = c.item_id
left join sets s on s.id = i.set_id
order by place`;

// PostgreSQL keeps the plan for one cert; for an array it plans each time anew, which costs more than reading one cert.
const KNOWN_ONE = knownCertsSql('(select ($1::text[])[1] as company, ($2::text[])[1] as cert_key, 1 as place) asked');
const KNOWN_MANY = knownCertsSql('unnest($1::text[], $2::text[]) with ordinality as asked (company, cert_key, place)');

/** What is known of each cert at an instant, in the order asked. One statement. */
export async function knownCerts(sql: Sql, certs: readonly ReadCert[], nowMs: number): Promise<KnownCert[]> {
  const [name, text] = certs.length === 1 ? ['known_cert', KNOWN_ONE] : ['known_certs', KNOWN_MANY];
  const rows = await sql.prepared<Row>(name, text, [
    certs.map(({ company }) => company),
    certs.map(({ key }) => key),
    new Date(nowMs),
  ]);
  return rows.map((row) => ({
    registered: row.cert_number === null ? null : registeredOf(row, row.cert_number),
    miss: row.reason === null ? null : { reason: row.reason, warning: row.warning },
  }));
}

function registeredOf(row: Row, certNumber: string): RegisteredCert {
  return {
    certNumber,
    item: row.id === null ? null : (row as ItemRow),
    gradeKey: row.grade_key,
    gradeLabel: row.grade_label,
    label: row.label,
    game: row.cert_game,
    state: row.state,
    imageFront: row.image_front,
    imageBack: row.image_back,
    updatedAt: row.cert_updated_at,
  };
}
