import type { SearchContext } from '../search/context.ts';
import type { Valuer } from './runs/valuer.ts';

/** What routes of slabs work with. */
export type GradedContext = SearchContext & { valuer: Valuer };
