import type { VisionContext } from '../vision/context.ts';
import type { LiveIndex } from './index/live.ts';

/** What routes that search work with. */
export type SearchContext = VisionContext & { liveIndex: LiveIndex };
