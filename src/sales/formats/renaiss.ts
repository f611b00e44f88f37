import { jsonSales } from './sales-format.ts';

/** On-chain sales of Renaiss slabs: the activity feed of its home page. */
export const renaissSales = jsonSales(
  {
    name: 'renaiss',
    about:
      'on-chain slab sales of Renaiss: a JSON array of {activityId, cardTitle, gradingCompany, grade, priceCents, soldAt}',
    keys: ['activityId', 'soldAt'],
    what: 'Renaiss activities (activityId, cardTitle, priceCents, soldAt)',
  },
  (sale) => ({
    title: String(sale.cardTitle ?? ''),
    company: String(sale.gradingCompany ?? ''),
    grade: String(sale.grade ?? ''),
    price: centsText(sale.priceCents),
    currency: 'USD',
    sold_at: String(sale.soldAt ?? ''),
    source: 'renaiss',
    sale_id: String(sale.activityId ?? ''),
    sale_type: 'fixed',
  }),
);

/** Whole cents as a decimal number of dollars; anything else stays for the price check to reject. */
export function centsText(cents: unknown): string {
  if (typeof cents !== 'number' || !Number.isSafeInteger(cents) || cents < 0) return String(cents);
  return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
}
