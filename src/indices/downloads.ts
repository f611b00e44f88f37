import { Type } from 'typebox';
import { endpoint, type Mounting } from '../http/endpoint.ts';
import { csvOf } from '../lib/csv.ts';
import { INDEX_RULES } from './method/rules.ts';
import { baskets, levels, type OpenDataTable, prices } from './open-data.ts';
import { indexBySlug } from './rows.ts';
import { indexParams } from './shapes.ts';
import { INDEX_MAX_AGE_SECONDS } from './tiles.ts';

/** `GET /v1/indices/{game}/levels.csv`, `….json` and so on: every table of open-data.ts in both forms. */
export const DOWNLOADS: Mounting[] = [...mountings(levels), ...mountings(baskets), ...mountings(prices)];

function mountings(table: OpenDataTable): Mounting[] {
  const { name, summary, query } = table;
  const columns = Object.keys(table.columns.properties);
  const id = `index${name[0]!.toUpperCase()}${name.slice(1)}`;
  const shared = {
    params: indexParams,
    query,
    policy: 'downloads',
    maxAgeSeconds: INDEX_MAX_AGE_SECONDS,
    statuses: [404],
  } as const;
  const csv = endpoint({
    ...shared,
    id: `${id}Csv`,
    summary: `${summary}, as CSV`,
    response: Type.String({ description: `Columns ${columns.join(', ')}.` }),
    download: 'text/csv',
    async handle({ db }, { params, query }) {
      const index = await indexBySlug(db, params.game);
      return { body: csvOf(columns, await table.rows(db, index, query)) };
    },
  });
  const json = endpoint({
    ...shared,
    id: `${id}Json`,
    summary: `${summary}, as JSON`,
    response: Type.Object({ index: Type.String(), base: Type.Integer(), [name]: Type.Array(table.columns) }),
    download: 'application/json',
    async handle({ db }, { params, query }) {
      const index = await indexBySlug(db, params.game);
      const body = { index: index.slug, base: INDEX_RULES.base, [name]: await table.rows(db, index, query) };
      return { body };
    },
  });
  const path = `/v1/indices/:game/${name}`;
  return [
    { path: `${path}.csv`, endpoint: csv },
    { path: `${path}.json`, endpoint: json },
  ];
}
