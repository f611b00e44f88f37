import type { ReadCert } from '../../catalog/cert.ts';
import { unknownSlabHeading, whyUnpriced } from '../../graded/reasons.ts';
import type { GradedLookup } from '../../graded/shapes.ts';
import { CardArt } from '../art.tsx';
import { factsOf } from '../card/card-facts.ts';
import { RangePicture } from '../card/price-range.tsx';
import { usd } from '../format.ts';
import { Day, Move } from '../price.tsx';
import { type Site, shownImage } from '../site/site.ts';

type Shown = { site: Site; cert: ReadCert; lookup: GradedLookup; canAsk: boolean };

/** The card and value of a slab, or why they are not known and what to do. */
export function CertResult({ site, cert, lookup, canAsk }: Shown) {
  const { card, gradeLabel } = lookup;
  return (
    <div class="wrap cert">
      <div class="page-head">
        <p class="cert-number">
          {cert.company} <span>{cert.certNumber}</span>
        </p>
        <h1>{card ? <bdi>{card.name}</bdi> : headingOf(lookup, canAsk)}</h1>
        {card && (
          <p class="lead">
            {factsOf(card)}
            {gradeLabel && ` · ${gradeLabel}`}
          </p>
        )}
      </div>
      <div class="cert-body">
        {card && <CardArt site={site} card={card} size="page" />}
        <div>
          <Value lookup={lookup} />
          {lookup.reason && <Reason lookup={lookup} canAsk={canAsk} />}
          {canAsk && <AskForm cert={cert} hasCard={card !== undefined} />}
          {card && (
            <p>
              <a class="button" href={card.href}>
                {card.grade ? 'Sales, chart and other grades' : 'All grades of this card'}
              </a>
            </p>
          )}
          <Scans site={site} lookup={lookup} />
          {card && (
            <p class="muted small">
              The card is taken from the grader’s record of this number. Compare it with your slab; labels can be
              counterfeited. <a href="/report">Report a problem</a>
            </p>
          )}
        </div>
      </div>
    </div>
  );
}

function Value({ lookup: { card } }: { lookup: GradedLookup }) {
  if (!card || card.priceUsdCents === null) return null;
  const { priceUsdCents, priceRangeUsdCents: range, nextSaleRangeUsdCents: next, deltaPct, asOf } = card;
  const { lastSaleAt, confidence, estimated, unconfirmedMove } = card;
  return (
    <dl class="cert-value">
      <dt>
        Reference price {asOf && <Day iso={asOf} />}
        {estimated && ', estimated without a sale at this grade'}
      </dt>
      <dd class="cert-price">{usd(priceUsdCents)}</dd>
      {unconfirmedMove && (
        <dd class="price-unconfirmed">No second sale has confirmed the last move of this price yet.</dd>
      )}
      {range && (
        <dd>
          <RangePicture price={priceUsdCents} value={range} next={next} lastSale={null} />
        </dd>
      )}
      <dd>
        {range && `80% range ${usd(range.low)} to ${usd(range.high)} · `}confidence {confidence} ·{' '}
        <Move percent={deltaPct} over="7 days" /> in 7 days
      </dd>
      {lastSaleAt && (
        <dd class="muted">
          Last sale <Day iso={lastSaleAt} />
        </dd>
      )}
    </dl>
  );
}

/** The slab was never looked up: its page offers to. */
function isNew({ reason, warning }: GradedLookup, canAsk: boolean): boolean {
  return canAsk && reason === 'not_ingested' && warning === undefined;
}

function headingOf(lookup: GradedLookup, canAsk: boolean): string {
  return isNew(lookup, canAsk) ? 'A slab not looked up yet' : unknownSlabHeading(lookup);
}

function Reason({ lookup, canAsk }: Pick<Shown, 'lookup' | 'canAsk'>) {
  return (
    <p class="cert-reason">
      {isNew(lookup, canAsk) ? 'This slab has not been looked up here yet.' : whyUnpriced(lookup)}
      {lookup.reason === 'needs_photo' && (
        <>
          {' '}
          <a href="/scan">Take a photo of the slab</a>.
        </>
      )}
    </p>
  );
}

/** With scripts its progress is shown here; without, the answer is the page after it. */
function AskForm({ cert: { cert }, hasCard }: { cert: ReadCert; hasCard: boolean }) {
  return (
    <form method="post" action={`/cert/${cert}`} class="cert-ask" data-events={`/cert/${cert}/events`}>
      <button type="submit">{hasCard ? 'Look for sales now' : 'Look it up now'}</button>
      <p class="muted small">Checks the grader and connected marketplaces. Takes up to 30 seconds.</p>
      <ol class="stages" aria-live="polite" aria-label="Progress" hidden></ol>
    </form>
  );
}

function Scans({ site, lookup: { certImages } }: { site: Site; lookup: GradedLookup }) {
  const shown = (['front', 'back'] as const).flatMap((side) => {
    const src = shownImage(site, certImages?.[side] ?? null);
    return src === null ? [] : [{ label: side === 'front' ? 'Front of the slab' : 'Back of the slab', src }];
  });
  if (shown.length === 0) return null;
  return (
    <ul class="scans">
      {shown.map(({ label, src }) => (
        <li key={src}>
          <img src={src} alt={label} width={150} height={210} loading="lazy" />
        </li>
      ))}
    </ul>
  );
}
