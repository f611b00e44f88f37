import { readJson, UnreadableFile } from '../../catalog/formats/files.ts';
import { objects } from '../../catalog/formats/text.ts';
import { englishDate } from '../row-fields.ts';
import { entryOf, type SalesFormat } from './sales-format.ts';

/** Sold lots of Fanatics Collect as a crawler took them from its pages: lower-cased, price and date inside the text. */
export const fanaticsSales: SalesFormat = {
  name: 'fanatics',
  about: 'sold lots of Fanatics Collect: a JSON array of {id, name, sold_price, sold_date, raw_text}',
  extensions: ['.json'],
  async *read(path) {
    const lots = objects(await readJson(path));
    if (lots.length === 0 || !('sold_price' in lots[0]! && 'raw_text' in lots[0]))
      throw new UnreadableFile(`${path}: not a JSON array of sold lots (id, name, sold_price, sold_date, raw_text)`);
    for (const [index, lot] of lots.entries()) {
      const text = String(lot.raw_text ?? '');
      const auction = text.endsWith('in auction');
      yield entryOf(
        {
          title: String(lot.name ?? '').replace(/\s*(w\/\s+buyers\s+premium)?\s*(sold on .*)?$/s, ''),
          price: dollars(String(lot.sold_price ?? '')),
          currency: 'USD',
          sold_at: englishDate(String(lot.sold_date ?? '')),
          source: 'fanatics',
          sale_id: String(lot.id ?? ''),
          sale_type: auction ? 'house_auction' : text.endsWith('in buy now') ? 'fixed' : undefined,
          detail: text.includes('buyers premium') ? "price with buyer's premium" : undefined,
        },
        index + 1,
        0,
        () => JSON.stringify(lot),
      );
    }
  },
};

/** `$1,230` as `1230`: the page's own way of writing dollars; anything else is left for the price check to refuse. */
function dollars(text: string): string {
  return /^\$\d{1,3}(,\d{3})*(\.\d\d)?$/.test(text) ? text.slice(1).replaceAll(',', '') : text;
}
