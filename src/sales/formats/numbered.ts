import type { Sale } from '../sale.ts';
import type { SaleEntry } from './sales-format.ts';

/**
 * Rows of one id that are different sales get ids of their own, by their order in the file: `A-2001`, `A-2001 #2`. `sameSale` is a
 * text that two rows of one sale share.
 */
export async function* numbered(
  entries: AsyncIterable<SaleEntry>,
  sameSale: (sale: Sale) => string,
): AsyncGenerator<SaleEntry> {
  const salesOf = new Map<string, string[]>();
  for await (const entry of entries) {
    const id = entry.sale?.sourceSaleId;
    if (id == null) {
      yield entry;
      continue;
    }
    const sales = salesOf.get(id) ?? [];
    salesOf.set(id, sales);
    const sale = sameSale(entry.sale!);
    if (!sales.includes(sale)) sales.push(sale);
    const place = sales.indexOf(sale);
    yield place === 0 ? entry : { ...entry, sale: { ...entry.sale!, sourceSaleId: `${id} #${place + 1}` } };
  }
}
