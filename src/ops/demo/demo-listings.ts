import { formatDay } from '../../lib/day.ts';
import type { RawListing } from '../../sales/crawl/listing.ts';
import { DEMO_DAYS, type DemoMarket, firstOffset, gradesOf } from './demo-market.ts';
import { chanceOf } from './random.ts';

/** Days before the last one in which listings are simulated. */
const LISTED_DAYS = 200;

/**
 * Simulated asks up to `endDay` (a UTC day number), as rows of the own listings format: some live, some ended, some
 * not seen any more. Asks are above sale prices.
 */
export function generateDemoListings({ endDay, items, values }: DemoMarket): RawListing[] {
  const firstDay = endDay - DEMO_DAYS + 1;
  return items.flatMap((item) => {
    const chance = chanceOf(`listings ${item.demoId}`);
    const grades = gradesOf(item).map((grade) => [grade, grade.weight] as const);
    const value = values(item);
    const rows: RawListing[] = [];
    const count = Math.floor(-3.5 * Math.log(1 - chance.uniform()));
    for (let n = 1; n <= count; n++) {
      const first = DEMO_DAYS - 1 - Math.floor(chance.uniform() * LISTED_DAYS);
      if (first < firstOffset(item, firstDay)) continue;
      const last = Math.min(DEMO_DAYS - 1, first + Math.floor(chance.uniform() * 120));
      const grade = chance.pick(grades);
      const ask = value(grade, first) * (1.06 + 0.4 * chance.uniform());
      const ended = last < DEMO_DAYS - 1 && chance.happens(0.7);
      rows.push({
        item_id: item.itemId,
        company: grade.company,
        grade: grade.grade,
        price: Math.max(0.99, ask).toFixed(2),
        currency: 'USD',
        source: chance.happens(0.7) ? 'simulated-marketplace' : 'simulated-shop',
        listing_id: `${item.demoId}#${n}`,
        first_seen: formatDay(firstDay + first),
        last_seen: formatDay(firstDay + last),
        ...(ended ? { ended_at: formatDay(firstDay + last) } : {}),
      });
    }
    return rows;
  });
}
