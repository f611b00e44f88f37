import { Type } from 'typebox';
import type { Core } from '../../http/context.ts';
import { upTo } from '../../http/parameters.ts';
import { dayOf } from '../../lib/day.ts';
import { type TradesPage, type TradesQuery, tradesOf } from '../../sales/ledger.ts';
import { SALE_TYPES } from '../../sales/sale.ts';
import type { Located } from '../locate/locate.ts';
import { ALL_DAYS, windowDaysOf, windowParameter } from '../parameters/window.ts';
import { anyCompany, bucket, category, instant, nullable, usdCents } from '../shapes.ts';
import { readShownGrade } from '../summary.ts';
import { attributionOf, itemView } from '../view.ts';
import { readTradesCursor, tradesCursor } from './trades-cursor.ts';

const MAX_LIMIT = 200;
const DEFAULT_LIMIT = 50;

const SOURCE_ID =
  'A source id as in `sourceCounts`: lower-case letters, digits and dashes, at most 40. Only its sales are listed.';

export const tradeRowSchema = Type.Object({
  source: Type.String(),
  bucket,
  category,
  displayName: Type.String(),
  observedAt: instant,
  kind: Type.Literal('transaction'),
  priceUsdCents: nullable(usdCents),
  priceMinor: Type.Integer({ description: 'In the minor unit of `currency`, as sold.' }),
  currency: Type.String(),
  detail: nullable(Type.String()),
  sourceUrl: nullable(Type.String()),
  company: anyCompany,
  grade: Type.String(),
  gradeLabel: Type.String(),
  saleType: Type.Enum([...SALE_TYPES], { description: '`auction` also where the source does not say.' }),
  certHash: nullable(
    Type.String({
      description:
        'Equal for two sales of one slab; null where the source names no cert. The number cannot be read from it.',
    }),
  ),
  disposition: Type.Enum(['used', 'downweighted', 'refused']),
  dispositionReason: nullable(Type.String()),
});

export const trades = itemView({
  id: 'trades',
  summary: 'Recorded sales of a card, newest first, rejected ones with the reason',
  query: Type.Object({
    source: Type.Optional(Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,39}$', description: SOURCE_ID })),
    window: Type.Optional(windowParameter),
    scope: Type.Optional(
      Type.Enum(['grade', 'all'], {
        description: '`grade`: one grade (default); `all`: every grade (default where the slug names no grade).',
      }),
    ),
    limit: Type.Optional(upTo(MAX_LIMIT, DEFAULT_LIMIT, 'Sales at most')),
    after: Type.Optional(
      Type.String({
        maxLength: 100,
        description: '`nextCursor` of the previous page, with the same filters; empty for the first page.',
      }),
    ),
  }),
  response: Type.Object({
    trades: Type.Array(tradeRowSchema),
    total: Type.Integer({ description: 'Trades that match the filters, on all pages.' }),
    sourceCounts: Type.Record(Type.String(), Type.Integer(), { description: 'The same by source.' }),
    hasMore: Type.Boolean(),
    nextCursor: nullable(Type.String({ description: '`after` of the next page; null on the last one.' })),
  }),
  historyDays: ({ window }) => (window === undefined ? ALL_DAYS : windowDaysOf(window)),
  async view(context, located, query) {
    const { fingerprint } = context;
    const sales = await selectedSales(context, located, query);
    const filters = JSON.stringify([located.item.id, sales.gradeKey, query.source ?? null, query.window ?? null]);
    const afterSaleId = query.after ? readTradesCursor(fingerprint, filters, query.after) : null;
    const limit = query.limit ?? DEFAULT_LIMIT;
    const { lastSaleId, ...page } = await pageOf(context, sales, { afterSaleId, limit });
    const nextCursor = lastSaleId === null ? null : tradesCursor(fingerprint, filters, lastSaleId);
    const { pageUrl } = attributionOf(context, located.item, located.gradeKey);
    return { body: { ...page, hasMore: lastSaleId !== null, nextCursor }, pageUrl };
  },
});

type Filters = { scope?: 'grade' | 'all'; source?: string; window?: number | 'all' };
type SelectedSales = Pick<TradesQuery, 'itemId' | 'gradeKey' | 'sourceId' | 'fromDay'> & { isEmpty: boolean };

/** The sales a request selects; none for the representative grade of a card that never sold. */
async function selectedSales({ db, clock }: Core, located: Located, filters: Filters): Promise<SelectedSales> {
  const scope = filters.scope ?? (located.gradeKey === null && located.bySlug ? 'all' : 'grade');
  const gradeKey = scope === 'all' ? null : await readShownGrade(db, located);
  const fromDay = filters.window === undefined ? null : dayOf(clock()) - windowDaysOf(filters.window) + 1;
  const isEmpty = scope === 'grade' && gradeKey === null;
  return { itemId: located.item.id, gradeKey, sourceId: filters.source ?? null, fromDay, isEmpty };
}

async function pageOf(
  { db, fingerprint }: Core,
  { isEmpty, ...sales }: SelectedSales,
  page: Pick<TradesQuery, 'afterSaleId' | 'limit'>,
): Promise<TradesPage> {
  if (isEmpty) return { trades: [], total: 0, sourceCounts: {}, lastSaleId: null };
  return await tradesOf(db, { ...sales, ...page }, fingerprint);
}
