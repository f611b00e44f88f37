import type { Sql } from '../../../src/db/client.ts';

/**
 * The shape of the database's own schema (`public`) as text, the same for the same shape: extensions, types,
 * functions, sequences, tables with their columns, constraints, indexes and triggers, then views. It is there to be
 * read and compared; rows, grants and what extensions own are left out.
 */
export async function dumpSchema(db: Sql): Promise<string> {
  const parts: string[] = [];
  for (const query of [EXTENSIONS, TYPES, FUNCTIONS, SEQUENCES, TABLES, VIEWS]) {
    for (const { ddl } of await db.query<{ ddl: string }>(query)) parts.push(ddl.trimEnd());
  }
  return `-- Written from the migrations, not by hand: UPDATE_SCHEMA=1 npx vitest run test/db/schema.test.ts\n\n${parts.join('\n\n')}\n`;
}

const OURS = `'public'::regnamespace`;

/** A condition: no extension owns the object. */
function notOfExtension(catalog: string, oid: string): string {
  return `not exists (select from pg_depend d
    where d.classid = '${catalog}'::regclass and d.objid = ${oid} and d.deptype = 'e')`;
}

const EXTENSIONS = `
  select format('create extension %I;', extname) as ddl from pg_extension where extname <> 'plpgsql' order by extname`;

const TYPES = `
  select case t.typtype
      when 'e' then format('create type %I as enum (%s);', t.typname,
        (select string_agg(quote_literal(enumlabel), ', ' order by enumsortorder) from pg_enum where enumtypid = t.oid))
      when 'd' then format('create domain %I as %s%s%s;', t.typname, format_type(t.typbasetype, t.typtypmod),
        case when t.typnotnull then ' not null' else '' end,
        (select string_agg(' ' || pg_get_constraintdef(oid), '' order by conname)
           from pg_constraint where contypid = t.oid and contype = 'c'))
      else format('create type %I as (%s);', t.typname,
        (select string_agg(format('%I %s', attname, format_type(atttypid, atttypmod)), ', ' order by attnum)
           from pg_attribute where attrelid = t.typrelid and not attisdropped))
    end as ddl
  from pg_type t left join pg_class c on c.oid = t.typrelid
  where t.typnamespace = ${OURS} and (t.typtype in ('e', 'd') or c.relkind = 'c') and ${notOfExtension('pg_type', 't.oid')}
  order by t.typname`;

const FUNCTIONS = `
  select pg_get_functiondef(p.oid) || ';' as ddl
  from pg_proc p
  where p.pronamespace = ${OURS} and p.prokind in ('f', 'p', 'w') and ${notOfExtension('pg_proc', 'p.oid')}
  order by p.proname, pg_get_function_identity_arguments(p.oid)`;

// Those of identity and serial columns belong to their tables.
const SEQUENCES = `
  select format('create sequence %I as %s;', c.relname, format_type(s.seqtypid, null)) as ddl
  from pg_class c join pg_sequence s on s.seqrelid = c.oid
  where c.relnamespace = ${OURS} and not exists (select from pg_depend d
    where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype in ('a', 'i', 'e'))
  order by c.relname`;

const COLUMN = `
  format('  %I %s%s%s', a.attname, format_type(a.atttypid, a.atttypmod),
    case when a.attnotnull then ' not null' else '' end,
    case
      when a.attidentity <> '' then
        format(' generated %s as identity', case a.attidentity when 'a' then 'always' else 'by default' end)
      when a.attgenerated <> '' then format(' generated always as (%s)%s', pg_get_expr(ad.adbin, ad.adrelid),
        case a.attgenerated when 's' then ' stored' else ' virtual' end)
      when ad.adbin is not null then ' default ' || pg_get_expr(ad.adbin, ad.adrelid)
      else ''
    end)`;

// A partition repeats its parent's columns, constraints and indexes: one line is enough.
const TABLES = `
  select case when c.relispartition
    then format('create table %I partition of %s %s;', c.relname,
      (select inhparent::regclass from pg_inherits where inhrelid = c.oid), pg_get_expr(c.relpartbound, c.oid))
    else format(E'create %stable %I (\\n%s\\n)%s%s;',
      case c.relpersistence when 'u' then 'unlogged ' else '' end,
      c.relname,
      concat_ws(E',\\n',
        (select string_agg(${COLUMN}, E',\\n' order by a.attnum)
           from pg_attribute a left join pg_attrdef ad on ad.adrelid = a.attrelid and ad.adnum = a.attnum
           where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped),
        (select string_agg(format('  constraint %I %s', conname, pg_get_constraintdef(oid)), E',\\n' order by conname)
           from pg_constraint where conrelid = c.oid and contype in ('p', 'u', 'c', 'f', 'x') and conparentid = 0)),
      case when c.relkind = 'p' then ' partition by ' || pg_get_partkeydef(c.oid) else '' end,
      ' with (' || array_to_string(c.reloptions, ', ') || ')')
      || coalesce((select string_agg(E'\\n' || pg_get_indexdef(i.indexrelid) || ';', '' order by x.relname)
           from pg_index i join pg_class x on x.oid = i.indexrelid
           where i.indrelid = c.oid and not exists (select from pg_constraint where conindid = i.indexrelid and contype in ('p', 'u', 'x'))), '')
      || coalesce((select string_agg(E'\\n' || pg_get_triggerdef(oid) || ';', '' order by tgname)
           from pg_trigger where tgrelid = c.oid and not tgisinternal), '')
      || coalesce((select string_agg(E'\\n' || pg_get_statisticsobjdef(oid) || ';', '' order by stxname)
           from pg_statistic_ext where stxrelid = c.oid), '')
    end as ddl
  from pg_class c
  where c.relnamespace = ${OURS} and c.relkind in ('r', 'p') and ${notOfExtension('pg_class', 'c.oid')}
  order by c.relname`;

const VIEWS = `
  select format(E'create %sview %I as\\n%s', case c.relkind when 'm' then 'materialized ' else '' end, c.relname,
      pg_get_viewdef(c.oid))
    || coalesce((select string_agg(E'\\n' || indexdef || ';', '' order by indexname)
         from pg_indexes where schemaname = 'public' and tablename = c.relname), '') as ddl
  from pg_class c
  where c.relnamespace = ${OURS} and c.relkind in ('v', 'm') and ${notOfExtension('pg_class', 'c.oid')}
  order by c.relname`;
