import type { ReadCert } from '../../catalog/cert.ts';
import type { GradeKey } from '../../catalog/grades.ts';
import type { Sql } from '../../db/client.ts';
import { ITEM_COLUMNS, type ItemRow } from '../../items/item-row.ts';
import type { CertCounts } from '../../items/population/read-population.ts';
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
  certGame: string | null;
  state: CertState;
  imageFront: string | null;
  imageBack: string | null;
  /** When it was registered, or what is known of it last changed. */
  updatedAt: Date;
  /** What the grader reported with the cert. */
  counts: CertCounts | null;
};

/** What the database knows of a cert: both null for an unknown one. */
export type KnownCert = {
  registered: RegisteredCert | null;
  /** A negative answer that is still in force. */
  miss: { reason: Reason; warning: string | null } | null;
};

type Nullable<Fields> = { [field in keyof Fields]: Fields[field] | null };
/** All columns of `ItemRow` are null where the cert has no card. */
type Row = Nullable<ItemRow & Omit<RegisteredCert, 'item' | 'counts'> & NonNullable<KnownCert['miss']> & CountsRow>;
type CountsRow = { atGrade: number; higher: number; countsDay: number };

const knownCertsSql = (wanted: string) => `
select ${ITEM_COLUMNS}, c.cert_number as "certNumber", c.grade_key as "gradeKey", c.grade_label as "gradeLabel", c.label,
  c.game as "certGame", c.state, c.image_front as "imageFront", c.image_back as "imageBack", c.updated_at as "updatedAt",
  c.population_at_grade as "atGrade", c.population_higher as higher, c.population_day as "countsDay", m.reason, m.warning
from ${wanted}
left join certs c using (company, cert_key)
left join cert_misses m on m.company = wanted.company and m.cert_key = wanted.cert_key and m.known_until > $3
left join items i on i.id = c.item_id
left join sets s on s.id = i.set_id
order by place`;

// PostgreSQL keeps the plan for one cert; for an array it plans each time anew, which costs more than reading one cert.
const KNOWN_ONE = knownCertsSql('(select ($1::text[])[1] as company, ($2::text[])[1] as cert_key, 1 as place) wanted');
const KNOWN_MANY = knownCertsSql('unnest($1::text[], $2::text[]) with ordinality as wanted (company, cert_key, place)');

/** What is known of each cert at an instant, in the order of `certs`. One statement. */
export async function knownCerts(sql: Sql, certs: readonly ReadCert[], nowMs: number): Promise<KnownCert[]> {
  const [name, text] = certs.length === 1 ? ['known_cert', KNOWN_ONE] : ['known_certs', KNOWN_MANY];
  const rows = await sql.prepared<Row>(name, text, [
    certs.map(({ company }) => company),
    certs.map(({ key }) => key),
    new Date(nowMs),
  ]);
  return rows.map((row) => ({
    registered:
      row.certNumber === null
        ? null
        : {
            ...(row as unknown as RegisteredCert),
            item: row.id === null ? null : (row as unknown as ItemRow),
            counts: countsIn(row),
          },
    miss: row.reason === null ? null : { reason: row.reason, warning: row.warning },
  }));
}

function countsIn({ atGrade, higher, countsDay }: Row): CertCounts | null {
  return atGrade === null || higher === null || countsDay === null ? null : { atGrade, higher, day: countsDay };
}
