import type { Session } from '../../db/client.ts';
import type { CertRow } from './cert-row.ts';

/** A cert to be registered: null keeps what is known already. */
export type NewCert = Omit<CertRow, 'item'> & { itemId: string | null };

export type RegisterCounts = { added: number; changed: number; unchanged: number };

/**
 * Registers certs, each once, or updates the given fields of known ones: a card that was known stays known, and what
 * changed is kept in `cert_changes`. What was said of them in the negative is forgotten. The caller notifies the response
 * caches (channel `sales`).
 */
export async function registerCerts(
  session: Session,
  certs: readonly NewCert[],
  { origin, importId }: { origin: string; importId: number | null },
): Promise<RegisterCounts> {
  const given = JSON.stringify(
    certs.map(({ cert, ...fields }) => ({
      ...fields,
      company: cert.company,
      certKey: cert.key,
      certNumber: cert.certNumber,
    })),
  );
  const [counts] = await session.query<{ added: number; changed: number }>(
    `with given as (
       select * from jsonb_to_recordset($1::jsonb) as g (company text, "certKey" text, "certNumber" text, "itemId" uuid,
         "gradeKey" text, "gradeLabel" text, label text, game text, state text, year smallint, "imageFront" text,
         "imageBack" text)
     ), forgotten as (
       delete from cert_misses m using given g where m.company = g.company and m.cert_key = g."certKey"
     ), merged as (
       select g.company, g."certKey" as cert_key, g."certNumber" as cert_number, coalesce(g."itemId", c.item_id) as item_id,
         case when g."gradeLabel" is null then c.grade_key else g."gradeKey" end as grade_key,
         coalesce(g."gradeLabel", c.grade_label) as grade_label, coalesce(g.label, c.label) as label,
         coalesce(i.game, g.game, c.game) as game, coalesce(g.state, c.state, 'active') as state,
         coalesce(g.year, c.year) as year, coalesce(g."imageFront", c.image_front) as image_front,
         coalesce(g."imageBack", c.image_back) as image_back
       from given g left join certs c on c.company = g.company and c.cert_key = g."certKey"
         left join items i on i.id = coalesce(g."itemId", c.item_id)
     ), noted as (
       insert into cert_changes (company, cert_key, field, old, new, origin)
       select m.company, m.cert_key, f.field, f.old, f.new, $2 from merged m
         join certs c on c.company = m.company and c.cert_key = m.cert_key,
         lateral (values ('card', c.item_id::text, m.item_id::text), ('grade', c.grade_label, m.grade_label),
           ('label', c.label, m.label), ('state', c.state, m.state)) f (field, old, new)
       where f.old <> f.new
     ), written as (
       insert into certs as c (company, cert_key, cert_number, item_id, grade_key, grade_label, label, game, state, year,
         image_front, image_back, origin, import_id)
       select *, $2, $3 from merged order by company, cert_key
       on conflict (company, cert_key) do update set cert_number = excluded.cert_number, item_id = excluded.item_id,
         grade_key = excluded.grade_key, grade_label = excluded.grade_label, label = excluded.label,
         game = excluded.game, state = excluded.state, year = excluded.year, image_front = excluded.image_front,
         image_back = excluded.image_back, origin = excluded.origin, import_id = excluded.import_id, updated_at = now()
       where (c.cert_number, c.item_id, c.grade_key, c.grade_label, c.label, c.game, c.state, c.year, c.image_front,
           c.image_back)
         is distinct from (excluded.cert_number, excluded.item_id, excluded.grade_key, excluded.grade_label,
           excluded.label, excluded.game, excluded.state, excluded.year, excluded.image_front, excluded.image_back)
       returning xmax = 0 as is_new
     )
     select count(*) filter (where is_new)::int as added, count(*) filter (where not is_new)::int as changed from written`,
    [given, origin, importId],
  );
  const { added, changed } = counts!;
  return { added, changed, unchanged: certs.length - added - changed };
}
