import type { Config } from '../../config.ts';
import type { Db } from '../../db/client.ts';
import type { TitleBook } from '../../sales/titles.ts';

/** What the desk works with. */
export type DeskWorld = {
  db: Db;
  config: Pick<Config, 'serviceName' | 'baseUrl' | 'isDemo' | 'connections'>;
  clock: () => number;
  /** The name that decisions are kept with. */
  by: string;
  titles: TitleBook;
  /** What keys are hashed with; loaded when an application is accepted. */
  pepper(): Promise<Buffer>;
};

/** Rows of a page. */
export const PAGE_ROWS = 50;
