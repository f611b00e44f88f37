import { usd } from '../format.ts';
import { gradeName } from './card-facts.ts';
import type { Grades } from './card-tables.tsx';

/** The grades that collectors compare first, from ungraded on. */
const MAIN_LABELS = ['Raw A', 'PSA 8', 'PSA 9', 'BGS 9.5', 'PSA 10'];

/** What the card is worth at each of the main grades that it is tracked at, side by side. */
export function GradeStrip({ grades }: { grades: Grades }) {
  const shown = MAIN_LABELS.flatMap((label) => grades.filter(({ gradeLabel }) => gradeLabel === label));
  if (shown.length < 2) return null;
  return (
    <ul class="grade-strip">
      {shown.map(({ gradeLabel, priceUsdCents, href }) => (
        <li key={href}>
          <a href={href}>{gradeName(gradeLabel!)}</a>
          <span class={priceUsdCents === null ? 'muted' : 'strip-price'}>
            {priceUsdCents === null ? 'No price' : usd(priceUsdCents)}
          </span>
        </li>
      ))}
    </ul>
  );
}
