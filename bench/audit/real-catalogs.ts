import { importCatalog } from '../../src/catalog/import-catalog.ts';
import { CATALOG_FORMATS } from '../../src/commands/catalog-formats.ts';
import type { Db } from '../../src/db/client.ts';
import { REAL_CATALOGS } from '../../test/support/real-catalogs.ts';
import { testData } from '../../test/support/test-data.ts';

/** Small ones, of games that others have. */
const LEFT_OUT = ['lorcast', 'digimon-ja', 'tcg-engines', 't206api'];

/** Imports the real catalogs that the machine has. */
export async function importRealCatalogs(db: Db): Promise<void> {
  for (const [name, ...path] of REAL_CATALOGS) {
    if (LEFT_OUT.includes(name)) continue;
    const format = CATALOG_FORMATS.find((one) => one.name.startsWith(name))!;
    const folder = testData('catalog', ...path);
    if (folder !== null) await importCatalog(db, { format, paths: [folder] });
  }
}
