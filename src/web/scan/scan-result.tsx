import { whyUnpriced } from '../../graded/reasons.ts';
import type { GradedLookup } from '../../graded/shapes.ts';
import type { FoundByPhoto, ImageAnswer } from '../../search/photo/image-answer.ts';
import { factsOf, gradeName } from '../card/card-facts.ts';
import { Name } from '../card/name.tsx';
import { CardArt } from '../card-picture.tsx';
import { usd } from '../format.ts';
import { Day, ListPrice } from '../price.tsx';
import type { Site } from '../site/site.ts';

const BANDS: Record<FoundByPhoto['confidence'], string> = {
  high: 'We are sure that this is the card.',
  medium: 'Probably this card. Compare set, number and language: other printings share its art.',
  low: 'It may be one of these. Compare them with your card.',
  none: 'No card of the catalog looks like it.',
};

/** The card of a photo, and others that look like it. */
type Shown = Pick<ImageAnswer, 'items'> & Pick<FoundByPhoto, 'confidence'>;

export function CardFound({ site, answer }: { site: Site; answer: Shown }) {
  const [first, ...others] = answer.items ?? [];
  if (first === undefined)
    return (
      <div class="scan-result">
        <h2>No card found</h2>
        <p>{BANDS.none}</p>
        <ul>
          <li>Lay one card flat on a plain surface, all four corners in the picture.</li>
          <li>Avoid glare; take it out of a glossy sleeve.</li>
          <li>
            Or <a href="/search">search for it by words</a>.
          </li>
        </ul>
      </div>
    );
  return (
    <div class="scan-result">
      <p class={`scan-band scan-${answer.confidence}`}>{BANDS[answer.confidence]}</p>
      <div class="scan-first">
        <CardArt site={site} card={first} size="tile" />
        <div>
          <h2>
            <a href={first.href}>
              <Name language={first.language}>{first.name}</Name>
            </a>
          </h2>
          <p class="muted">{factsOf(first)}</p>
          {first.priceUsdCents !== null && first.updatedAt !== null ? (
            <p>
              <strong class="scan-price">{usd(first.priceUsdCents)}</strong> {gradeName(first.gradeLabel!)},{' '}
              <Day iso={first.updatedAt} />
            </p>
          ) : (
            <p class="muted">No price yet.</p>
          )}
          <p>
            <a class="button" href={first.href}>
              Grades, sales and chart
            </a>
          </p>
        </div>
      </div>
      {others.length > 0 && (
        <>
          <h3>Others that look like it</h3>
          <ul class="scan-others">
            {others.map((card) => (
              <li key={card.id}>
                <CardArt site={site} card={card} size="tile" />
                <div>
                  <a href={card.href}>
                    <Name language={card.language}>{card.name}</Name>
                  </a>
                  <p class="muted small">{factsOf(card)}</p>
                  <ListPrice card={card} />
                </div>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

const SIGNS = { true: '✓', false: '✕', null: '–' } as const;
const SAID = { true: 'agrees', false: 'contradicts', null: 'not conclusive' } as const;

/** The slab of a photo, with the comparisons made. */
export function SlabFound({ site, lookup }: { site: Site; lookup: GradedLookup }) {
  const { card, evidence, warning, cert, gradeLabel, reason } = lookup;
  const isPriced = card && card.priceUsdCents !== null && card.updatedAt !== null;
  return (
    <div class="scan-result">
      {cert !== '' && <p class="cert-number">{cert}</p>}
      <div class={card ? 'scan-first' : undefined}>
        {card && <CardArt site={site} card={card} size="tile" />}
        <div>
          <h2>
            {card ? (
              <Name language={card.language}>{card.name}</Name>
            ) : (
              'The label was read, but the card was not identified'
            )}
          </h2>
          {card && (
            <p class="muted">
              {factsOf(card)}
              {gradeLabel && ` · ${gradeLabel}`}
            </p>
          )}
          {isPriced ? (
            <p>
              <strong class="scan-price">{usd(card.priceUsdCents!)}</strong> {card.gradeLabel},{' '}
              <Day iso={card.updatedAt!} />
            </p>
          ) : (
            reason && <p class="muted">No price. {whyUnpriced(lookup)}</p>
          )}
          {isPriced && warning && <p class="scan-band scan-medium">{warning}</p>}
          {card && (
            <p>
              <a class="button" href={card.href}>
                Grades, sales and chart
              </a>
            </p>
          )}
        </div>
      </div>
      {evidence && (
        <>
          <h3>How we checked</h3>
          <ul class="scan-checks">
            {evidence.checks.map(({ check, compared, agrees, detail }) => (
              <li key={check} class={`check-${agrees}`}>
                <span aria-hidden="true">{SIGNS[`${agrees}`]}</span> {detail}{' '}
                <span class="unseen">{compared ? SAID[`${agrees}`] : 'nothing to compare'}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
