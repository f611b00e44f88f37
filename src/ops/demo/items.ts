import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Game } from '../../catalog/games.ts';

/** An item of the demo catalog with the level around which its sales are simulated. */
export type DemoItem = {
  /** Catalog id (a UUID). */
  itemId: string;
  /** Its id in the demo catalog, which seeds its chance: `pokemon/base1/4/charizard/1st-edition`. */
  demoId: string;
  game: Game;
  setKey: string;
  language: string;
  year: number;
  /** Simulated price of a near-mint ungraded copy at the beginning, without a release premium, in US dollars: our invention. */
  rawUsd: number;
  name: string;
  number: string | null;
  variation: string | null;
  setName: string;
  /** Site-relative. */
  imageUrl: string;
};

/** The id space of the demo catalog's ids, as its lines state it. */
export const DEMO_ID_SPACE = 'mintmark-demo';

/** The demo catalog: real cards written down from public facts, in the `mintmark` format. */
export const demoCatalogPath = fileURLToPath(new URL('./data/catalog.ndjson', import.meta.url));

type DemoItemLine = Pick<DemoItem, 'game' | 'name' | 'imageUrl'> &
  Partial<Pick<DemoItem, 'number' | 'variation' | 'language'>> & {
    id: string;
    set: { key: string; year: number; name: string };
  };

/** The items of the demo catalog that `itemIdOf` (demo id to catalog id) knows, in the order of the file. */
export function demoItems(itemIdOf: (demoId: string) => string | undefined): DemoItem[] {
  const levels = readFileSync(new URL('./data/price-levels.json', import.meta.url), 'utf8');
  const rawUsdOf = JSON.parse(levels) as Record<string, number>;
  return readFileSync(demoCatalogPath, 'utf8')
    .trimEnd()
    .split('\n')
    .flatMap((text) => {
      const { id, set, ...card } = JSON.parse(text) as DemoItemLine;
      const itemId = itemIdOf(id);
      if (itemId === undefined) return [];
      const { key: setKey, year, name: setName } = set;
      const defaults = { language: 'English', number: null, variation: null };
      return [{ itemId, demoId: id, rawUsd: rawUsdOf[id]!, setKey, year, setName, ...defaults, ...card }];
    });
}

/** Every card of the demo catalog, as the simulated services write of it; `itemId` is its id there. */
export function demoCards(): DemoItem[] {
  return demoItems((demoId) => demoId);
}
