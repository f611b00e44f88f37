import { Type } from 'typebox';
import { gradeByKey } from '../catalog/grades.ts';
import { dayIso, dayOf } from '../lib/day.ts';
import { priceSeriesOf } from '../sales/sales-by-day.ts';
import { windowDaysOf, windowParameter } from './parameters/window.ts';
import { company, instant, usdCents } from './shapes.ts';
import { readShownGrade } from './summary.ts';
import { attributionOf, itemView } from './view.ts';

const DEFAULT_WINDOW = 90;

export const series = itemView({
  id: 'series',
  summary: 'Daily average prices of completed sales and, separately, of listings',
  query: Type.Object({ window: Type.Optional(windowParameter) }),
  response: Type.Object({
    windowDays: Type.Integer(),
    points: Type.Array(
      Type.Object({
        t: instant,
        usdCents,
        n: Type.Integer(),
        kind: Type.Enum(['transaction', 'listing']),
        company,
        grade: Type.String(),
        gradeLabel: Type.String(),
      }),
    ),
  }),
  historyDays: ({ window }) => windowDaysOf(window ?? DEFAULT_WINDOW),
  async view(context, located, query) {
    const windowDays = windowDaysOf(query.window ?? DEFAULT_WINDOW);
    const toDay = dayOf(context.clock());
    // A slug without a grade means all of them; an id means the representative one.
    const gradeKey = located.bySlug ? located.gradeKey : await readShownGrade(context.db, located);
    const window = { itemId: located.item.id, gradeKey, fromDay: toDay - windowDays + 1, toDay };
    const days = await priceSeriesOf(context.db, window);
    const points = days.map(({ day, usdCents, n, kind, gradeKey: key }) => {
      const grade = gradeByKey(key)!;
      return { t: dayIso(day), usdCents, n, kind, company: grade.company, grade: grade.grade, gradeLabel: grade.label };
    });
    const { pageUrl } = attributionOf(context, located.item, gradeKey);
    return { body: { windowDays, points }, pageUrl };
  },
});
