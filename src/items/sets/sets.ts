import { Type } from 'typebox';
import { GAMES, isGame } from '../../catalog/games.ts';
import type { Sql } from '../../db/client.ts';
import { endpoint } from '../../http/endpoint.ts';
import { notFound, unknownGame } from '../../http/problem.ts';
import { ITEM_COLUMNS, type ItemRow } from '../item-row.ts';
import { asOfAnswer, asOfDay, asOfMember, asOfParameter } from '../parameters/as-of.ts';
import { cardSummary, gameSlug, nullable } from '../shapes.ts';
import { type CardSummary, summariesOf } from '../summary.ts';

type SetRow = { id: number; name: string; code: string | null; language: string | null };

/** Of a set of 19,000, one statement for all would take longer than a statement may on a busy machine; others are served in between. */
const ITEMS_AT_ONCE = 500;

export const set = endpoint({
  id: 'set',
  summary: 'Every card of a set, highest price first',
  params: Type.Object({
    game: Type.String({ minLength: 1, maxLength: 400, description: `One of ${GAMES.join(', ')}.` }),
    set: Type.String({
      minLength: 1,
      maxLength: 400,
      description: 'Set slug: the second path segment of a card href.',
    }),
  }),
  query: Type.Object({ asOf: asOfParameter }),
  response: Type.Object({
    asOf: asOfMember,
    game: gameSlug,
    setName: Type.String(),
    setCode: nullable(Type.String()),
    language: nullable(Type.String()),
    setSegment: Type.String(),
    href: Type.String(),
    cardCount: Type.Integer(),
    cards: Type.Array(cardSummary),
  }),
  maxAgeSeconds: 60,
  statuses: [404],
  async handle({ db }, { params, query }) {
    const set = await setAt(db, params.game, params.set.toLowerCase());
    const items = await db.prepared<ItemRow>(
      'items_of_set',
      `select ${ITEM_COLUMNS} from items i join sets s on s.id = i.set_id where i.set_id = $1 and i.removed_at is null
       order by i.stem, i.id`,
      [set.id],
    );
    const asOf = await asOfDay(db, query.asOf);
    const { member, isForGood } = asOfAnswer(asOf);
    const cards: CardSummary[] = [];
    for (let at = 0; at < items.length; at += ITEMS_AT_ONCE)
      cards.push(...(await summariesOf(db, items.slice(at, at + ITEMS_AT_ONCE), { asOf })));
    cards.sort((a, b) => (b.priceUsdCents ?? 0) - (a.priceUsdCents ?? 0));
    const { id: _, ...identity } = set;
    return { body: { ...member, ...identity, cardCount: cards.length, cards }, isForGood };
  },
});

/** The set of an address. Throws the 404 problems. */
export async function setAt(db: Sql, game: string, segment: string) {
  if (!isGame(game)) throw unknownGame(GAMES, game);
  const [row] = await db.prepared<SetRow>(
    'set_by_segment',
    'select id, name, code, language from sets where game = $1 and segment = $2',
    [game, segment],
  );
  if (row === undefined) throw notFound('No set has this address; copy the second segment of a card `href`.');
  const { id, name, code, language } = row;
  const href = `/card/${game}/${segment}`;
  return { id, game, setName: name, setCode: code, language, setSegment: segment, href };
}
