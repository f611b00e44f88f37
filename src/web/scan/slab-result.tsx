import { whyUnpriced } from '../../graded/reasons.ts';
import type { GradedLookup, SlabEvidence } from '../../graded/shapes.ts';
import { SEVERAL_SLABS } from '../../graded/slab/by-image-steps.ts';
import { gradeName } from '../card/card-facts.ts';
import { Facts } from '../card/card-facts-line.tsx';
import { Name } from '../card/name.tsx';
import { CardArt } from '../card-picture.tsx';
import { usd } from '../format.ts';
import { PriceDate } from '../price.tsx';
import type { Site } from '../site/site.ts';

type SlabOf = {
  site: Site;
  lookup: GradedLookup;
  /** Cards and slabs in the photo, and the position of the one that was read. */
  boxes: number;
  box: number;
};

/** The slab of a photo: its card and price, or why there is none, with the comparisons made. */
export function SlabFound({ site, lookup: found, boxes, box }: SlabOf) {
  const lookup = boxes > 1 ? withoutSeveral(found) : found;
  const { card, evidence, warning, cert, gradeLabel, reason } = lookup;
  const isPriced = card && card.priceUsdCents !== null;
  return (
    <div class="scan-result">
      {cert !== '' && (
        <p class="cert-number">
          <a href={`/cert/${cert}`}>{cert}</a>
        </p>
      )}
      {reason === 'deactivated' && (
        <p class="cert-voided" role="alert">
          <strong>The grader deactivated this number.</strong> Do not buy on the label: a slab with it may be a
          counterfeit.
        </p>
      )}
      <div class={card ? 'scan-first' : undefined}>
        {card && <CardArt site={site} card={card} size="tile" />}
        <div>
          <h2>
            {card ? (
              <Name language={card.language}>{card.name}</Name>
            ) : (
              'We read the label but could not identify the card'
            )}
          </h2>
          {card && (
            <p class="muted">
              <Facts card={card} />
              {gradeLabel && ` · ${gradeLabel}`}
            </p>
          )}
          {isPriced ? (
            <p>
              <strong class="scan-price">{usd(card.priceUsdCents!)}</strong> {gradeName(card.gradeLabel!)},{' '}
              <PriceDate price={card} />
            </p>
          ) : (
            reason && reason !== 'deactivated' && <p>{whyUnpriced(lookup)}</p>
          )}
          {isPriced && warning && <p class="scan-band scan-medium">{warning}</p>}
        </div>
      </div>
      {card && (
        <p>
          <a class="button" href={card.href}>
            Grades, sales and chart
          </a>
        </p>
      )}
      {boxes > 1 && <OtherBoxes boxes={boxes} box={box} />}
      {evidence && <Evidence evidence={evidence} />}
    </div>
  );
}

/** The lookup without the warning that the photo has several slabs, which the choice of the others says better. */
function withoutSeveral({ warning, ...lookup }: GradedLookup): GradedLookup {
  const rest = warning?.replace(SEVERAL_SLABS, '').trim() ?? '';
  return rest === '' ? lookup : { ...lookup, warning: rest };
}

/** With scripts each of the other slabs can be read from the same photo. */
function OtherBoxes({ boxes, box }: Pick<SlabOf, 'boxes' | 'box'>) {
  const others = Array.from({ length: boxes }, (_, at) => at).filter((at) => at !== box);
  return (
    <div class="scan-boxes">
      <p>Number {box + 1}, nearest to the middle of the photo, was read. Scan the others one at a time.</p>
      {others.map((at) => (
        <button key={at} type="button" class="button-quiet" data-box={at} hidden>
          Scan number {at + 1}
        </button>
      ))}
    </div>
  );
}

const SIGNS = { true: '✓', false: '✕', null: '–' } as const;
const SAID = { true: 'agrees', false: 'contradicts', null: 'not conclusive' } as const;

function Evidence({ evidence: { checks, label } }: { evidence: SlabEvidence }) {
  return (
    <>
      <h3>How we checked</h3>
      <ul class="scan-checks">
        {checks.map(({ check, compared, agrees, detail }) => (
          <li key={check} class={`check-${agrees}`}>
            <span aria-hidden="true">{SIGNS[`${agrees}`]}</span> {detail}{' '}
            <span class="unseen">{compared ? SAID[`${agrees}`] : 'nothing to compare'}</span>
          </li>
        ))}
      </ul>
      {label.length > 0 && (
        <details>
          <summary>What we read on the label</summary>
          <p>
            <samp>{label.join(' / ')}</samp>
          </p>
        </details>
      )}
    </>
  );
}
