import type { GradedContext } from '../graded/context.ts';
import type { LiveTitles } from '../sales/live-titles.ts';

/** What routes of lists work with. */
export type ListContext = GradedContext & { liveTitles: LiveTitles };
