import { Type } from 'typebox';
import { splitCsvLine } from '../../catalog/formats/csv.ts';
import { type Connection, settingsOf } from '../../connections.ts';
import type { ServiceClientWorld } from '../../http/outbound/service-client.ts';
import { dayOf } from '../../lib/day.ts';
import { entriesOf, type FoundRow, HTTP_SETTINGS, openHttpSource } from './http-settings.ts';
import { askWith, badAnswer, problemOf, type SaleSource } from './source.ts';

const SETTINGS = {
  ...HTTP_SETTINGS,
  /** The header of each field's column. */
  columns: Type.Record(Type.String(), Type.String({ minLength: 1 })),
};

/** A market that answers CSV over HTTP (RFC 4180, a row a line), described by its settings. */
export function openCsvHttp(world: ServiceClientWorld, connection: Connection): SaleSource {
  const settings = settingsOf(connection, SETTINGS);
  const { columns } = settings;
  const http = openHttpSource(world, connection, { settings, mapped: Object.keys(columns), place: 'columns' });
  return {
    id: connection.id,
    name: connection.name,
    tells: [settings.tells],
    client: http.client,
    async search(query, patience, nowMs) {
      const answer = await askWith(http.client, patience, { url: http.addressOf(query), headers: http.headers });
      const problem = problemOf(answer);
      if (problem !== null || !answer.ok) return { sales: [], listings: [], complete: false, problem };
      const rows = rowsOf(answer.body.toString('utf8'), columns);
      if (typeof rows === 'string') return { sales: [], listings: [], complete: false, problem: badAnswer(rows) };
      return {
        ...entriesOf(rows, { connection, settings, today: dayOf(nowMs) }),
        complete: true,
        problem: null,
      };
    },
  };
}

/** The mapped columns of each line; a sentence when the first line is not such a header. A broken line keeps no field. */
function rowsOf(text: string, columns: Record<string, string>): FoundRow[] | string {
  const [first = '', ...lines] = text.replace(/^\ufeff/, '').split(/\r?\n/);
  const header = (splitCsvLine(first) ?? []).map((name) => name.trim());
  const places = Object.entries(columns).map(([field, name]) => ({ field, name, at: header.indexOf(name) }));
  const missing = places.filter(({ at }) => at === -1);
  if (missing.length > 0) return `The answer is not a CSV with the column "${missing[0]!.name}".`;
  return lines
    .filter((line) => line !== '')
    .map((line) => {
      const values = splitCsvLine(line);
      const whole = values !== null && values.length === header.length;
      return {
        raw: line,
        fields: whole ? Object.fromEntries(places.map(({ field, at }) => [field, values[at]!])) : {},
      };
    });
}
