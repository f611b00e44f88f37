import { Type } from 'typebox';
import { dayOf } from '../lib/day.ts';
import { ledgerChangedMs, tradesOf } from '../sales/ledger.ts';
import { shownGrade } from './grade-of-view.ts';
import { instant, nullable, usdCents } from './shapes.ts';
import { attributionOf, itemView } from './view.ts';
import { windowDaysOf, windowParameter } from './window.ts';

const DEFAULT_LIMIT = '50';

export const tradeRowSchema = Type.Object({
  source: Type.String(),
  bucket: Type.String(),
  category: Type.String(),
  displayName: Type.String(),
  observedAt: instant,
  kind: Type.Literal('transaction'),
  priceUsdCents: nullable(usdCents),
  priceMinor: Type.Integer({ description: 'In the minor unit of `currency`, as sold.' }),
  currency: Type.String(),
  detail: nullable(Type.String()),
  sourceUrl: nullable(Type.String()),
  company: Type.String(),
  grade: Type.String(),
  gradeLabel: Type.String(),
  disposition: Type.Enum(['used', 'downweighted', 'refused']),
  dispositionReason: nullable(Type.String()),
});

export const trades = itemView({
  id: 'trades',
  summary: 'Recorded sales of a card, newest first, refused ones with the reason',
  query: Type.Object({
    source: Type.Optional(Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,39}$', description: 'Only this source id.' })),
    window: Type.Optional(windowParameter),
    scope: Type.Optional(
      Type.Enum(['grade', 'all'], {
        description: '`grade`: one grade (default); `all`: every grade (default where the slug names no grade).',
      }),
    ),
    limit: Type.Optional(
      Type.String({ pattern: '^([1-9][0-9]?|1[0-9]{2}|200)$', description: `1 to 200, default ${DEFAULT_LIMIT}.` }),
    ),
  }),
  response: Type.Object({
    trades: Type.Array(tradeRowSchema),
    total: Type.Integer({ description: 'Trades that match, beyond `limit` too.' }),
    sourceCounts: Type.Record(Type.String(), Type.Integer()),
  }),
  async view(context, located, query) {
    const { db, clock } = context;
    const scope = query.scope ?? (located.gradeKey === null && located.bySlug ? 'all' : 'grade');
    const gradeKey = scope === 'all' ? null : await shownGrade(db, located);
    const fromDay = query.window === undefined ? null : dayOf(clock()) - windowDaysOf(query.window) + 1;
    const [body, lastModifiedMs] = await Promise.all([
      scope === 'grade' && gradeKey === null
        ? { trades: [], total: 0, sourceCounts: {} }
        : tradesOf(db, {
            itemId: located.item.id,
            gradeKey,
            sourceId: query.source ?? null,
            fromDay,
            limit: Number(query.limit ?? DEFAULT_LIMIT),
          }),
      ledgerChangedMs(db),
    ]);
    return { body, lastModifiedMs, pageUrl: attributionOf(context, located.item, located.gradeKey).pageUrl };
  },
});
