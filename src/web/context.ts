import type { SetOverviews } from '../items/sets/set-overview.ts';
import type { ListContext } from '../lists/context.ts';
import type { RecordContext } from '../receipts/context.ts';
import type { FreshnessMemory } from '../sales/freshness.ts';
import type { KeptSamples } from './api/sample-answers.ts';
import type { Assets } from './assets.ts';
import type { ScanState } from './scan/scan-state.ts';

/** The context of a server: everything that pages and routes work with. */
export type WebContext = ListContext &
  RecordContext & {
    /** Styles and scripts of the pages. */
    assets: Assets;
    /** What pages of sets show of a whole set. */
    setOverviews: SetOverviews;
    scanState: ScanState;
    freshness: FreshnessMemory;
    /** What the API reference shows; null before its first reader. */
    samples: { kept: KeptSamples | null };
  };
