import type { Session, Sql } from '../db/client.ts';
import type { Evidence, FoundSuspect, SuspectKind, SuspectSeries } from './suspect.ts';

/** What a person decided: `right` where there is no fault, `wrong` where there is. */
export const VERDICTS = ['right', 'wrong'] as const;
export type SuspectVerdict = (typeof VERDICTS)[number];

/** A suspect as it is kept. */
export type KeptSuspect = {
  id: number;
  kind: SuspectKind;
  game: string;
  score: number;
  series: SuspectSeries[];
  evidence: Evidence[];
  foundAt: Date;
  /** Its prices are withheld. */
  isWithheld: boolean;
  verdict: SuspectVerdict | null;
  decidedAt: Date | null;
};

/** The decision in force on a suspect `s`, as SQL. */
const DECIDED = `left join lateral (
  select d.facts ->> 'state' as verdict, d.decided_at from decisions d
  where d.kind = 'identity_suspect' and d.subject = s.id::text and d.taken_back_at is null
  order by d.id desc limit 1) d on true`;
const COLUMNS = `s.id, s.kind, s.game, s.score, s.evidence, s.found_at as "foundAt", d.verdict, d.decided_at as "decidedAt",
  (select json_agg(json_build_object('itemId', x.item_id, 'gradeKey', x.grade_key) order by x.place)
   from identity_suspect_series x where x.suspect_id = s.id) as series,
  exists (select from identity_suspect_series x where x.suspect_id = s.id and x.withheld) as "isWithheld"`;

export type SuspectState = 'open' | 'decided';

type SuspectChoice = {
  game?: string | undefined;
  state?: SuspectState | undefined;
  before: number | null;
  limit: number;
};

/** Suspects before the id `before` (null: from the newest on), the newest first: open ones, and decided ones also after they are gone. */
export async function listSuspects(sql: Sql, { game, state, before, limit }: SuspectChoice): Promise<KeptSuspect[]> {
  return await sql.prepared<KeptSuspect>(
    'identity_suspects',
    `select ${COLUMNS} from identity_suspects s ${DECIDED}
     where ($1::text is null or s.game = $1) and ($3::bigint is null or s.id < $3)
       and case $2::text when 'open' then d.verdict is null and s.closed_at is null when 'decided' then d.verdict is not null
         else d.verdict is not null or s.closed_at is null end
     order by s.id desc limit $4`,
    [game ?? null, state ?? null, before, limit],
  );
}

/** How many are open, counted up to `limit`. */
export async function countOpenSuspects(sql: Sql, limit: number): Promise<number> {
  const [row] = await sql.query<{ count: number }>(
    `select count(*)::int as count from (
       select from identity_suspects s ${DECIDED} where d.verdict is null and s.closed_at is null limit $1) open`,
    [limit],
  );
  return row!.count;
}

/** A suspect, locked until the transaction ends; null for an id that does not exist. */
export async function lockSuspect(session: Session, id: number): Promise<{ closedAt: Date | null } | null> {
  const [row] = await session.query<{ closedAt: Date | null }>(
    'select closed_at as "closedAt" from identity_suspects where id = $1 for no key update',
    [id],
  );
  return row ?? null;
}

/** What an audit changed. */
export type KeptCounts = { found: number; added: number; closed: number; withheld: number };

/** Keeps what an audit of games found: new suspects are added, known ones get their new score, and those that are gone are closed. */
export async function keepFound(
  session: Session,
  found: readonly (FoundSuspect & { game: string })[],
  games: readonly string[],
): Promise<KeptCounts> {
  // Audits of two processes follow each other.
  await session.query('lock table identity_suspects in share row exclusive mode');
  const kept = await session.query<{ id: number; isNew: boolean; place: number }>(
    `insert into identity_suspects as s (kind, subject, game, score, evidence)
     select kind, subject, game, score, evidence
     from json_to_recordset($1::json) as f (kind text, subject text, game text, score float8, evidence jsonb)
     on conflict (kind, subject) do update set game = excluded.game, score = excluded.score, evidence = excluded.evidence,
       closed_at = null
     returning id, xmax = 0 as "isNew"`,
    [
      JSON.stringify(
        found.map(({ kind, subject, game, score, evidence }) => ({ kind, subject, game, score, evidence })),
      ),
    ],
  );
  const series = found.flatMap(({ kind, subject, series }) =>
    series.map(({ itemId, gradeKey }, place) => ({ kind, subject, place, itemId, gradeKey })),
  );
  const ids = kept.map(({ id }) => id);
  await session.query('delete from identity_suspect_series where suspect_id = any($1)', [ids]);
  await session.query(
    `insert into identity_suspect_series (suspect_id, place, item_id, grade_key)
     select s.id, f.place, f."itemId", f."gradeKey"
     from json_to_recordset($1::json) as f (kind text, subject text, place int, "itemId" uuid, "gradeKey" text)
       join identity_suspects s on s.kind = f.kind and s.subject = f.subject`,
    [JSON.stringify(series)],
  );
  const closed = await session.query(
    `update identity_suspects set closed_at = now()
     where closed_at is null and game = any($1) and id <> all($2) returning id`,
    [games, ids],
  );
  const withheld = await noteVerdicts(session);
  return { found: found.length, added: kept.filter(({ isNew }) => isNew).length, closed: closed.length, withheld };
}

/**
 * Notes which prices are withheld: of suspects that the last audit found, unless they were decided to be right. Running servers are
 * notified; returns how many suspects withhold a price.
 */
export async function noteVerdicts(session: Session): Promise<number> {
  // Not joined: without statistics of new rows, every series would be compared with every suspect.
  const withholding = await session.query<{ id: number }>(
    `select s.id from identity_suspects s ${DECIDED}
     where s.closed_at is null and d.verdict is distinct from 'right'`,
  );
  await session.query(
    `update identity_suspect_series set withheld = not withheld where withheld <> (suspect_id = any($1::bigint[]))`,
    [withholding.map(({ id }) => id)],
  );
  await session.query(`select pg_notify('prices', '')`);
  return withholding.length;
}
