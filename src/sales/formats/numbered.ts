import type { Sale } from '../sale.ts';
import type { SaleEntry } from './sales-format.ts';

/**
 * Rows of one id that are different sales get ids of their own, by their order in the file: `A-2001`, `A-2001 #2`. `sameSale` is a
 * text that two rows of one sale share; the later one names the line of the first.
 */
export async function* numbered(
  entries: AsyncIterable<SaleEntry>,
  sameSale: (sale: Sale) => string,
): AsyncGenerator<SaleEntry> {
  const placesOf = new Map<string, Map<string, { place: number; line: number }>>();
  for await (const entry of entries) {
    const id = entry.sale?.sourceSaleId;
    if (id == null) {
      yield entry;
      continue;
    }
    const places = placesOf.get(id) ?? new Map<string, { place: number; line: number }>();
    placesOf.set(id, places);
    const text = sameSale(entry.sale!);
    const first = places.get(text);
    const place = first?.place ?? places.size;
    if (first === undefined) places.set(text, { place, line: entry.line });
    else entry.sameAsLine = first.line;
    yield place === 0 ? entry : { ...entry, sale: { ...entry.sale!, sourceSaleId: `${id} #${place + 1}` } };
  }
}
