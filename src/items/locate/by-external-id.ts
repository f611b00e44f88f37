import { Type } from 'typebox';
import { ID_SPACE, isChosen, MAX_ID_CHARS, type PrintingChoice } from '../../catalog/external-ids.ts';
import type { Sql } from '../../db/client.ts';
import { notFound, ProblemError } from '../../http/problem.ts';
import { UUID } from '../../lib/uuid.ts';
import { ITEM_COLUMNS, type ItemRow, itemHref } from '../item-row.ts';
import { type Locator, namedById } from './locate.ts';

/** Candidates that a problem lists. */
const MAX_CANDIDATES = 20;
/** Of an id of a card that has more printings, the first are read. */
const MAX_ITEMS = 500;

export const byExternalId: Locator = {
  id: 'ByExternalId',
  path: '/v1/items/by-external-id/:space/:id',
  link: { id: 'externalLink', summary: 'The page of an id that another program uses' },
  params: Type.Object({
    space: Type.String({
      minLength: 1,
      maxLength: 400,
      description:
        'Whose id it is: `scryfall`, `mtgjson`, `tcgplayer`, `cardmarket`, `tcgdex`, …; `externalIds` of a card has them.',
    }),
    id: Type.String({ minLength: 1, maxLength: 400, description: 'The id as its space publishes it.' }),
  }),
  query: Type.Object({
    variation: Type.Optional(
      Type.String({
        maxLength: 300,
        description: 'Of several printings with the id, the one of this `variation`; `plain` is the one without.',
      }),
    ),
    language: Type.Optional(
      Type.String({ maxLength: 40, description: 'Of several printings with the id, the one in this `language`.' }),
    ),
  }),
  async locate({ db }, { space, id }, query) {
    const items = await itemsOfExternalId(db, space!, id!);
    return await namedById(db, onlyItem(items, { space: space!, id: id!, ...query }));
  },
};

type Named = PrintingChoice & { space: string; id: string };

/** The items that a list of a source or of the operator gives this id; the catalog's before withdrawn ones. */
async function itemsOfExternalId(sql: Sql, space: string, id: string): Promise<ItemRow[]> {
  if (!ID_SPACE.test(space) || id.length > MAX_ID_CHARS || id.includes('\0')) return [];
  // Only a UUID is the same id in either case.
  const ids = UUID.test(id.toLowerCase()) ? [...new Set([id, id.toLowerCase()])] : [id];
  return sql.prepared<ItemRow>(
    'items_by_external_id',
    `with named as (
       select item_id, removed_at from item_sources where space = $1 and source_id = any($2::text[])
       union all
       select item_id, removed_at from item_sources where external_ids && $3::text[]
     )
     select ${ITEM_COLUMNS} from items i join sets s on s.id = i.set_id
     where i.id in (select item_id from named n where n.removed_at is null or i.removed_at is not null)
     order by i.removed_at is not null, i.set_id, i.number_key, i.language <> 'English', i.language,
       i.variation nulls first, i.id limit ${MAX_ITEMS}`,
    [space, ids, ids.map((one) => `${space} ${one}`)],
  );
}

/** The one item that is meant. Throws not_found, or ambiguous with the candidates: never a guess. */
function onlyItem(items: readonly ItemRow[], named: Named): ItemRow {
  const live = items.filter(({ removed_at: removedAt }) => removedAt === null);
  const known = live.length > 0 ? live : items;
  if (known.length === 0) throw notFound(`No item has this id in the space "${named.space}".`);
  const fitting = known.filter((item) => isChosen(item, named));
  if (fitting.length === 1) return fitting[0]!;
  const some = fitting.length > 0 ? fitting : known;
  const candidates = some.slice(0, MAX_CANDIDATES).map((item) => itemHref(item, null));
  const words = [...new Set(some.map(wordsOf))].slice(0, MAX_CANDIDATES).join('; ');
  if (fitting.length === 0)
    throw notFound(`No printing with this id is that one. There are: ${words}.`, { candidates });
  throw new ProblemError(
    'ambiguous',
    `${some.length} printings have this id: ${words}. Name one by \`variation\` or \`language\`, or use a candidate.`,
    { extra: { candidates } },
  );
}

/** `Base Set 4 Charizard, Shadowless, English` */
function wordsOf({ set_name: setName, number, name, variation, language }: ItemRow): string {
  return `${[setName, number, name].filter(Boolean).join(' ')}, ${variation ?? 'plain'}, ${language}`;
}
