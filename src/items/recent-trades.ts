import { Type } from 'typebox';
import type { Sql } from '../db/client.ts';
import { endpoint } from '../http/endpoint.ts';
import { ledgerChangedMs } from '../sales/ledger.ts';
import { recentTrades } from '../sales/recent.ts';
import { itemHref, itemsByIds } from './item-row.ts';
import { nullable } from './shapes.ts';
import { tradeRowSchema } from './trades.ts';

const DEFAULT_LIMIT = '12';

/** `GET /v1/trades/recent`. It stands here because each row shows its card. */
export const recentTradesEndpoint = endpoint({
  id: 'recentTrades',
  summary: 'The newest sales over all cards, newest first',
  query: Type.Object({
    limit: Type.Optional(
      Type.String({ pattern: '^([1-9]|[1-4][0-9]|50)$', description: `1 to 50, default ${DEFAULT_LIMIT}.` }),
    ),
  }),
  response: Type.Object({
    trades: Type.Array(
      Type.Intersect([
        tradeRowSchema,
        Type.Object({
          id: Type.String({ description: 'Id of the trade.' }),
          card: Type.Object({
            id: Type.String({ format: 'uuid' }),
            game: Type.String(),
            name: Type.String(),
            grade: Type.String(),
            gradeLabel: Type.String(),
            setCode: nullable(Type.String()),
            cardNumber: nullable(Type.String()),
            href: Type.String(),
            imageUrl: nullable(Type.String()),
          }),
        }),
      ]),
    ),
  }),
  maxAgeSeconds: 15,
  handle: ({ db }, { query }) => recentTradesOf(db, Number(query.limit ?? DEFAULT_LIMIT)),
});

/** The newest `limit` sales, each with its card. */
export async function recentTradesOf(db: Sql, limit: number) {
  const [rows, lastModifiedMs] = await Promise.all([recentTrades(db, limit), ledgerChangedMs(db)]);
  const items = await itemsByIds(
    db,
    rows.map((row) => row.itemId),
  );
  const itemById = new Map(items.map((item) => [item.id, item]));
  const trades = rows.map(({ id, itemId, gradeKey, ...row }) => {
    const item = itemById.get(itemId)!;
    const card = {
      id: itemId,
      game: item.game,
      name: item.name,
      grade: row.grade,
      gradeLabel: row.gradeLabel,
      setCode: item.set_code,
      cardNumber: item.number,
      href: itemHref(item, gradeKey),
      imageUrl: item.image_url,
    };
    return { ...row, id: String(id), card };
  });
  return { body: { trades }, lastModifiedMs };
}
