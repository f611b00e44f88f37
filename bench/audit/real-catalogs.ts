import { importCatalog } from '../../src/catalog/import-catalog.ts';
import { CATALOG_FORMATS } from '../../src/commands/catalog-formats.ts';
import type { Db } from '../../src/db/client.ts';
import { testData } from '../../test/support/test-data.ts';

/** The catalogs whose printings differ in kinds, each with its format. */
const CATALOGS: readonly (readonly [format: string, ...path: string[]])[] = [
  ['tcgdex', 'pokemon', 'tcgdex'],
  ['pokemontcg', 'pokemon', 'pokemontcg'],
  ['limitless', 'one-piece', 'limitless'],
  ['bandai', 'one-piece', 'bandai-vegapull'],
  ['mtgjson', 'mtg', 'mtgjson'],
  ['scryfall', 'mtg', 'scryfall-compact'],
  ['xmage', 'mtg', 'xmage-sets'],
  ['ygojson', 'yugioh', 'ygojson'],
  ['lorcana-data', 'lorcana', 'lorcana-data'],
  ['lorcana-catalog', 'lorcana', 'lorcana-data-catalog'],
  ['aegis', 'digimon', 'aegis-cards.json'],
  ['apitcg', 'digimon', 'apitcg'],
  ['riftbound', 'riftbound'],
  ['gcg-api', 'gundam', 'gcg-api'],
  ['junkwaxdata', 'sports', 'junkwaxdata'],
  ['card-checklists', 'sports', 'card-checklists'],
];

/** Imports the real catalogs that the machine has. */
export async function importRealCatalogs(db: Db): Promise<void> {
  for (const [name, ...path] of CATALOGS) {
    const format = CATALOG_FORMATS.find((one) => one.name.startsWith(name))!;
    const folder = testData('catalog', ...path);
    if (folder !== null) await importCatalog(db, { format, paths: [folder] });
  }
}
