import { readFileSync } from 'node:fs';
import { type DemoItem, demoCatalogPath, demoItems } from './items.ts';

/** A card of the demo as the simulated services write of it. */
export type DemoCard = DemoItem & {
  name: string;
  number: string | null;
  variation: string | null;
  setName: string;
  /** Site-relative. */
  imageUrl: string;
};

type DemoCardLine = {
  id: string;
  name: string;
  number?: string;
  variation?: string;
  set: { name: string };
  imageUrl: string;
};

/** Every card of the demo catalog; `itemId` is its id there. */
export function demoCards(): DemoCard[] {
  const lines = readFileSync(demoCatalogPath, 'utf8').trimEnd().split('\n');
  const byId = new Map(lines.map((line) => [(JSON.parse(line) as DemoCardLine).id, JSON.parse(line) as DemoCardLine]));
  return demoItems((demoId) => demoId).map((item) => {
    const { name, number = null, variation = null, set, imageUrl } = byId.get(item.demoId)!;
    return { ...item, name, number, variation, setName: set.name, imageUrl };
  });
}
