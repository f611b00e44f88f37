import type { GradedContext } from '../graded/context.ts';
import type { SetOrders } from '../items/sets/set-cards.ts';
import type { RecordContext } from '../receipts/context.ts';
import type { Assets } from './assets.ts';

/** The context of a server: everything that pages and routes work with. */
export type WebContext = GradedContext &
  RecordContext & {
    /** Styles and scripts of the pages. */
    assets: Assets;
    /** Orders of the cards of sets. */
    setOrders: SetOrders;
  };
