import type { PublishedCorrection } from '../../items/corrections/correction-shape.ts';
import { gradeName } from '../card/card-facts.ts';
import { Name } from '../card/name.tsx';
import { usd } from '../format.ts';
import { Section } from '../layout.tsx';
import { WholeDays } from '../line-breaks.tsx';
import { Day } from '../price.tsx';
import { causeOf, noteOf, restatedOf, subjectOf } from './correction-words.ts';

type CorrectionListOf = { corrections: readonly PublishedCorrection[]; showsCard: boolean };

/** Corrections in their order; each has an anchor, which the feed leads to. */
export function CorrectionList({ corrections, showsCard }: CorrectionListOf) {
  return (
    <ul class="corrections">
      {corrections.map((one) => (
        <li key={one.id} id={one.id}>
          <p class="muted small">
            <Day iso={one.at} /> · {causeOf(one)}
          </p>
          <p class="correction-subject">
            {showsCard ? (
              <a href={one.href}>
                <Name>{subjectOf(one)}</Name>
              </a>
            ) : (
              gradeName(one.gradeLabel ?? '')
            )}
          </p>
          {one.note !== null && (
            <p>
              <Name>{noteOf(one)!}</Name>
            </p>
          )}
          <CorrectionFigures correction={one} />
        </li>
      ))}
    </ul>
  );
}

function CorrectionFigures({ correction }: { correction: PublishedCorrection }) {
  const { gradeLabel, priceBeforeUsdCents, priceAfterUsdCents } = correction;
  const restated = restatedOf(correction);
  const facts = [
    ...(gradeLabel === null
      ? []
      : [
          ['Price before', priceBeforeUsdCents === null ? 'No price' : usd(priceBeforeUsdCents)],
          // Also where the next close has not come.
          ['At the next close', priceAfterUsdCents === null ? 'No price yet' : usd(priceAfterUsdCents)],
        ]),
    ...(restated === null ? [] : [['Days that would differ today', restated]]),
  ];
  if (facts.length === 0) return null;
  return (
    <dl>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <WholeDays>{value!}</WholeDays>
          </dd>
        </div>
      ))}
    </dl>
  );
}

type CardCorrectionsOf = { corrections: readonly PublishedCorrection[]; hasMore: boolean; itemId: string };

/** The part of a card's page; nothing for a card without any. */
export function CardCorrections({ corrections, hasMore, itemId }: CardCorrectionsOf) {
  if (corrections.length === 0) return null;
  const data = `/v1/corrections?item=${itemId}&limit=200`;
  return (
    <Section id="corrections" title="Corrections" aside={<a href={data}>Download corrections</a>}>
      <p class="muted">
        Published prices stay as they were. {hasMore && `The newest ${corrections.length}. `}
        <a href="/corrections">All corrections</a>
      </p>
      <CorrectionList corrections={corrections} showsCard={false} />
    </Section>
  );
}
