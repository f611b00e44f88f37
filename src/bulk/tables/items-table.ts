import { ITEM_COLUMNS, type ItemRow, itemHref } from '../../items/item-row.ts';
import { identityOf } from '../../items/summary.ts';
import type { FileRow, FileTable } from '../file-table.ts';
import { type BulkRead, cursorRows } from './bulk-read.ts';

/** Cards of the catalog, without those that were withdrawn. */
export const ITEMS: FileTable = {
  kind: 'items',
  key: ['id'],
  columns: [
    { name: 'id', type: 'text' },
    { name: 'upstreamItemId', type: 'text', optional: true },
    { name: 'game', type: 'text' },
    { name: 'type', type: 'text' },
    { name: 'name', type: 'text' },
    { name: 'setName', type: 'text' },
    { name: 'setCode', type: 'text', optional: true },
    { name: 'cardNumber', type: 'text', optional: true },
    { name: 'printedNumber', type: 'text', optional: true },
    { name: 'variation', type: 'text', optional: true },
    { name: 'rarity', type: 'text', optional: true },
    { name: 'language', type: 'text' },
    { name: 'year', type: 'integer', optional: true },
    { name: 'imageUrl', type: 'text', optional: true },
    { name: 'href', type: 'text' },
  ],
};

export async function* itemRowsOf({ sql, baseUrl }: BulkRead): AsyncGenerator<FileRow[]> {
  const text = `select ${ITEM_COLUMNS} from items i join sets s on s.id = i.set_id where i.removed_at is null order by i.id`;
  for await (const items of cursorRows<ItemRow>(sql, text)) yield items.map((item) => rowOf(item, baseUrl));
}

function rowOf(item: ItemRow, baseUrl: string): FileRow {
  const one = identityOf(item);
  // Our own pictures are stored by their path.
  const imageUrl = one.imageUrl?.startsWith('/') ? baseUrl + one.imageUrl : one.imageUrl;
  return [
    ...[one.id, one.upstreamItemId, one.game, one.type, one.name, one.setName, one.setCode, one.cardNumber],
    ...[one.printedNumber, one.variation, one.rarity, one.language, one.year, imageUrl, itemHref(item, null)],
  ];
}
