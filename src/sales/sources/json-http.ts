import { Type } from 'typebox';
import { type Connection, settingsOf } from '../../connections.ts';
import { jsonOf, valueAt } from '../../connectors/json.ts';
import type { ServiceClientWorld } from '../../http/outbound/service-client.ts';
import { dayOf } from '../../lib/day.ts';
import { centsText } from '../formats/renaiss.ts';
import { entriesOf, type FoundRow, HTTP_SETTINGS, openHttpSource } from './http-settings.ts';
import { askWith, badAnswer, problemOf, type SaleSource, type SourceAnswer } from './source.ts';

const pointer = Type.String({ pattern: '^(/[^/]*)*$' });

const SETTINGS = {
  ...HTTP_SETTINGS,
  /** JSON pointer (RFC 6901) to the list of rows in an answer; empty: the answer is the list. */
  rows: pointer,
  /** JSON pointer to each field in a row. */
  fields: Type.Record(Type.String(), pointer),
  /** Prices are whole cents. */
  priceInCents: Type.Optional(Type.Boolean()),
  /** JSON pointer to the address of the next page; absent or null on the last one. */
  next: Type.Optional(pointer),
  maxPages: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
};

const DEFAULT_PAGES = 5;

/** A market that answers JSON over HTTP, described by its settings. */
export function openJsonHttp(world: ServiceClientWorld, connection: Connection): SaleSource {
  const settings = settingsOf(connection, SETTINGS);
  const { rows: rowsAt, fields, priceInCents = false, next, maxPages = DEFAULT_PAGES } = settings;
  const http = openHttpSource(world, connection, { settings, mapped: Object.keys(fields), place: 'fields' });

  function rowOf(value: unknown): FoundRow {
    const found: Record<string, string> = {};
    for (const [name, at] of Object.entries(fields)) {
      const inner = valueAt(value, at);
      if (name === 'price' && priceInCents) found[name] = centsText(inner);
      else if (typeof inner === 'string' || typeof inner === 'number' || typeof inner === 'boolean')
        found[name] = String(inner);
    }
    return { fields: found, raw: JSON.stringify(value) ?? '' };
  }

  return {
    id: connection.id,
    name: connection.name,
    tells: [settings.tells],
    client: http.client,
    async search(query, patience, nowMs) {
      const found: FoundRow[] = [];
      const ended = (complete: boolean, problem: SourceAnswer['problem'] = null): SourceAnswer => ({
        ...entriesOf(found, { connection, settings, today: dayOf(nowMs) }),
        complete,
        problem,
      });
      let url = http.addressOf(query);
      for (let page = 1; ; page++) {
        const answer = await askWith(http.client, patience, { url, headers: http.headers });
        const problem = problemOf(answer);
        if (problem !== null || !answer.ok) return ended(false, problem);
        const json = jsonOf(answer.body);
        if (json === undefined) return ended(false, badAnswer('The answer is not JSON.'));
        const rows = valueAt(json, rowsAt);
        if (!Array.isArray(rows)) return ended(false, badAnswer(`The answer has no list at "${rowsAt}".`));
        for (const row of rows) found.push(rowOf(row));
        const following = next === undefined ? null : valueAt(json, next);
        if (typeof following !== 'string' || following === '') return ended(true);
        if (page >= maxPages) return ended(false);
        if (!URL.canParse(following, url)) return ended(false, badAnswer('The next page has no address.'));
        url = new URL(following, url).href;
      }
    },
  };
}
