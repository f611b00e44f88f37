import { Type } from 'typebox';
import type { Core } from '../../http/context.ts';
import { endpoint } from '../../http/endpoint.ts';
import { upTo } from '../../http/parameters.ts';
import { recentTrades } from '../../sales/ledger.ts';
import { itemHref, itemMap, numbersOf } from '../item-row.ts';
import { cardNumbers, gameSlug, imageAddress, nullable } from '../shapes.ts';
import { tradeRowSchema } from './trades.ts';

const MAX_LIMIT = 50;
const DEFAULT_LIMIT = 12;

/** `GET /v1/trades/recent`. It is here because each row shows its card. */
export const recentTradesEndpoint = endpoint({
  id: 'recentTrades',
  summary: 'The newest sales over all cards, newest first',
  query: Type.Object({
    limit: Type.Optional(upTo(MAX_LIMIT, DEFAULT_LIMIT, 'Sales at most')),
  }),
  response: Type.Object({
    trades: Type.Array(
      Type.Intersect([
        tradeRowSchema,
        Type.Object({
          id: Type.String({ description: 'Id of the trade.' }),
          card: Type.Object({
            id: Type.String({ format: 'uuid' }),
            game: gameSlug,
            name: Type.String(),
            grade: Type.String(),
            gradeLabel: Type.String(),
            setName: Type.String(),
            setCode: nullable(Type.String()),
            ...cardNumbers,
            variation: nullable(Type.String()),
            language: Type.String(),
            href: Type.String(),
            imageUrl: nullable(imageAddress),
            imageUrlThumb: nullable(imageAddress),
          }),
        }),
      ]),
    ),
  }),
  maxAgeSeconds: 15,
  handle: (context, { query }) => recentTradesOf(context, query.limit ?? DEFAULT_LIMIT),
});

/** The newest `limit` sales, each with its card. */
export async function recentTradesOf({ db, fingerprint }: Pick<Core, 'db' | 'fingerprint'>, limit: number) {
  const rows = await recentTrades(db, { limit }, fingerprint);
  const itemById = await itemMap(
    db,
    rows.map((row) => row.itemId),
  );
  const trades = rows.map(({ id, itemId, gradeKey, ...row }) => {
    const item = itemById.get(itemId)!;
    const card = {
      id: itemId,
      game: item.game,
      name: item.name,
      grade: row.grade,
      gradeLabel: row.gradeLabel,
      setName: item.set_name,
      setCode: item.set_code,
      ...numbersOf(item),
      variation: item.variation,
      language: item.language,
      href: itemHref(item, gradeKey),
      imageUrl: item.image_url,
      imageUrlThumb: item.image_url_thumb,
    };
    return { ...row, id: String(id), card };
  });
  return { body: { trades } };
}
