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
};

/** The id space of the demo catalog's ids, as its lines state it. */
export const DEMO_ID_SPACE = 'mintmark-demo';

/** The demo catalog: real cards written down from public facts, in the `mintmark` format. */
export const demoCatalogPath = fileURLToPath(new URL('./data/catalog.ndjson', import.meta.url));

type DemoItemLine = { id: string; game: Game; set: { key: string; year: number }; language?: string };

/** The items of the demo catalog that `itemIdOf` (demo id to catalog id) knows, in the order of the file. */
export function demoItems(itemIdOf: (demoId: string) => string | undefined): DemoItem[] {
  const levels = JSON.parse(readFileSync(new URL('./data/price-levels.json', import.meta.url), 'utf8')) as Record<
    string,
    number
  >;
  const items: DemoItem[] = [];
  for (const text of readFileSync(demoCatalogPath, 'utf8').trimEnd().split('\n')) {
    const { id, game, set, language = 'English' } = JSON.parse(text) as DemoItemLine;
    const itemId = itemIdOf(id);
    if (itemId !== undefined)
      items.push({ itemId, demoId: id, game, setKey: set.key, language, year: set.year, rawUsd: levels[id]! });
  }
  return items;
}
