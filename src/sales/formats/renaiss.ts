import { readJson, UnreadableFile } from '../../catalog/formats/files.ts';
import { objects } from '../../catalog/formats/text.ts';
import { entryOf, type SalesFormat } from './sales-format.ts';

/** On-chain sales of Renaiss slabs: the activity feed of its home page. */
export const renaissSales: SalesFormat = {
  name: 'renaiss',
  about:
    'on-chain slab sales of Renaiss: a JSON array of {activityId, cardTitle, gradingCompany, grade, priceCents, soldAt}',
  extensions: ['.json'],
  async *read(path) {
    const sales = objects(await readJson(path));
    if (sales.length === 0 || !('activityId' in sales[0]! && 'soldAt' in sales[0]))
      throw new UnreadableFile(
        `${path}: not a JSON array of Renaiss activities (activityId, cardTitle, priceCents, soldAt)`,
      );
    for (const [index, sale] of sales.entries()) {
      yield entryOf(
        {
          title: String(sale.cardTitle ?? ''),
          company: String(sale.gradingCompany ?? ''),
          grade: String(sale.grade ?? ''),
          price: centsText(sale.priceCents),
          currency: 'USD',
          sold_at: String(sale.soldAt ?? ''),
          source: 'renaiss',
          sale_id: String(sale.activityId ?? ''),
          sale_type: 'fixed',
        },
        index + 1,
        0,
        () => JSON.stringify(sale),
      );
    }
  },
};

/** Whole cents as a decimal number of dollars; anything else stays for the price check to refuse. */
export function centsText(cents: unknown): string {
  if (typeof cents !== 'number' || !Number.isSafeInteger(cents) || cents < 0) return String(cents);
  return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
}
