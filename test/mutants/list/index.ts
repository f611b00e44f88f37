import type { Mutant } from '../mutant.ts';
import { ACCESS } from './access.ts';
import { DB } from './db.ts';
import { DESK } from './desk.ts';
import { GRADED, SEARCH, SLABS, VECTORS } from './graded.ts';
import { HTTP } from './http.ts';
import { LISTS } from './lists.ts';
import { INDICES, PRICING } from './pricing.ts';
import { RECORD } from './record.ts';
import { SALES } from './sales.ts';

export const MUTANTS: readonly Mutant[] = [
  ...ACCESS,
  ...DB,
  ...HTTP,
  ...SALES,
  ...PRICING,
  ...RECORD,
  ...INDICES,
  ...GRADED,
  ...SLABS,
  ...SEARCH,
  ...VECTORS,
  ...DESK,
  ...LISTS,
];
