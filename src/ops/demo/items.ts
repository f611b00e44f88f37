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
  /** Simulated price of a near-mint ungraded copy at the beginning, in US dollars: our invention, not a market price. */
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

type DemoItemLine = {
  id: string;
  game: Game;
  name: string;
  number?: string;
  variation?: string;
  set: { key: string; year: number; name: string };
  language?: string;
  imageUrl: string;
};

/** The items of the demo catalog that `itemIdOf` (demo id to catalog id) knows, in the order of the file. */
export function demoItems(itemIdOf: (demoId: string) => string | undefined): DemoItem[] {
  const levels = JSON.parse(readFileSync(new URL('./data/price-levels.json', import.meta.url), 'utf8')) as Record<
    string,
    number
  >;
  const items: DemoItem[] = [];
  for (const text of readFileSync(demoCatalogPath, 'utf8').trimEnd().split('\n')) {
    const {
      id,
      set,
      language = 'English',
      number = null,
      variation = null,
      ...line
    } = JSON.parse(text) as DemoItemLine;
    const { game, name, imageUrl } = line;
    const { key: setKey, year, name: setName } = set;
    const itemId = itemIdOf(id);
    if (itemId === undefined) continue;
    const card = { game, setKey, language, year, name, number, variation, setName, imageUrl };
    items.push({ itemId, demoId: id, rawUsd: levels[id]!, ...card });
  }
  return items;
}

/** Every card of the demo catalog, as the simulated services write of it; `itemId` is its id there. */
export function demoCards(): DemoItem[] {
  return demoItems((demoId) => demoId);
}
