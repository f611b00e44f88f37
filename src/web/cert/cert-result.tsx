import type { VNode } from 'preact';
import type { ReadCert } from '../../catalog/cert.ts';
import { isUnknownToGrader, unknownSlabHeading, whyUnpriced } from '../../graded/reasons.ts';
import type { GradedLookup } from '../../graded/shapes.ts';
import { Facts } from '../card/card-facts-line.tsx';
import { populationWords } from '../card/card-words.ts';
import { Name } from '../card/name.tsx';
import { CardArt } from '../card-picture.tsx';
import { Day } from '../price.tsx';
import { type Site, shownImage } from '../site/site.ts';
import { LookupForm } from './cert-form.tsx';
import { Contradictions, type ShownHistory, SlabLife } from './slab-life.tsx';

/** What the page of a slab shows; `value` is the price of its card. */
export type ShownSlab = {
  cert: ReadCert;
  lookup: GradedLookup;
  /** When what is known of the number last changed; null where nothing is. */
  recordedAt: Date | null;
  canAsk: boolean;
  value: VNode | null;
  history: ShownHistory;
};

/** The card and value of a slab, or why they are not known and what to do. */
export function CertResult({ site, cert, lookup, recordedAt, canAsk, value, history }: ShownSlab & { site: Site }) {
  const { card } = lookup;
  const slabs = slabWords(lookup);
  return (
    <div class="wrap cert">
      <div class="page-head">
        <p class="cert-number">
          {cert.company} <span>{cert.certNumber}</span>
        </p>
        <h1>{card ? <Name language={card.language}>{slabName(lookup)}</Name> : headingOf(cert, lookup, canAsk)}</h1>
        {card && (
          <p class="lead">
            <Facts card={card} />
          </p>
        )}
      </div>
      {lookup.reason === 'deactivated' && (
        <p class="cert-voided" role="alert">
          <strong>{cert.company} deactivated this number.</strong> Do not buy on the label: a slab with it may be a
          counterfeit.{' '}
          {recordedAt !== null && (
            <>
              Recorded here on <Day iso={recordedAt.toISOString()} />.
            </>
          )}
        </p>
      )}
      <Contradictions history={history} />
      <div class="cert-body">
        {card && <CardArt site={site} card={card} size="page" />}
        <div>
          {value}
          {slabs !== null && (
            <p>
              <strong>Slabs:</strong> {slabs}
            </p>
          )}
          {lookup.reason && lookup.reason !== 'deactivated' && <Why {...{ site, cert, lookup, canAsk }} />}
          {canAsk && !isUnknownToGrader(lookup) && (
            <AskForm cert={cert} isNew={isNew(lookup, canAsk)} hasCard={card !== undefined} />
          )}
          {card && (
            <p>
              <a class="button" href={card.href}>
                {card.grade ? 'Sales, chart and other grades' : 'All grades of this card'}
              </a>
            </p>
          )}
          <Scans site={site} cert={cert} lookup={lookup} />
          {card && (
            <p class="muted small">
              The card is taken from the grader’s record of this number. Compare it with your slab; labels can be
              counterfeited. <a href="/report">Report a problem</a>
            </p>
          )}
        </div>
      </div>
      <SlabLife history={history} />
    </div>
  );
}

/** `Charizard-GX, PSA 10`. */
export function slabName({ card, gradeLabel }: GradedLookup): string {
  return [card?.name, card?.gradeLabel ?? gradeLabel].filter(Boolean).join(', ');
}

/** How many slabs there are of the card in this grade; null where nobody reported it. */
export function slabWords({ population, company, gradeLabel }: GradedLookup): string | null {
  return populationWords({ population: population ?? null, company, gradeLabel });
}

/** The slab was never looked up: its page offers to. */
function isNew({ reason, warning }: GradedLookup, canAsk: boolean): boolean {
  return canAsk && reason === 'not_ingested' && warning === undefined;
}

function headingOf({ company, certNumber }: ReadCert, lookup: GradedLookup, canAsk: boolean): string {
  if (isNew(lookup, canAsk)) return 'Not looked up yet';
  return isUnknownToGrader(lookup) ? `${company} has no record of ${certNumber}` : unknownSlabHeading(lookup);
}

function Why({
  site,
  cert: { company, certNumber },
  lookup,
  canAsk,
}: Omit<ShownSlab, 'value' | 'recordedAt' | 'history'> & { site: Site }) {
  if (isUnknownToGrader(lookup))
    return (
      <>
        <p class="cert-reason">
          {lookup.warning} Check the digits, or try another grader
          {site.canScan && (
            <>
              , or <a href="/scan">photograph the label</a>
            </>
          )}
          .
        </p>
        <LookupForm typed={certNumber} company={company} />
      </>
    );
  // The heading says it all.
  if (isNew(lookup, canAsk)) return null;
  return (
    <p class="cert-reason">
      {whyUnpriced(lookup)}
      {lookup.reason === 'not_ingested' && (
        <>
          {' '}
          You can <a href="/search">search for the card by name</a>.
        </>
      )}
      {lookup.reason === 'needs_photo' && site.canScan && (
        <>
          {' '}
          <a href="/scan">Take a photo of the slab</a>.
        </>
      )}
    </p>
  );
}

/** With scripts its progress is shown here; without, the answer is the page after it. */
function AskForm({ cert: { cert }, isNew, hasCard }: { cert: ReadCert; isNew: boolean; hasCard: boolean }) {
  return (
    <form
      method="post"
      action={`/cert/${cert}`}
      class="cert-ask"
      data-events={`/cert/${cert}/events`}
      data-heading={isNew ? 'Looking it up' : undefined}
    >
      <button type="submit">{hasCard ? 'Look for sales now' : 'Look it up now'}</button>
      <p class="muted small">Checks the grader and connected marketplaces. Takes up to 30 seconds.</p>
      <ol class="stages" aria-live="polite" aria-label="Progress" hidden></ol>
    </form>
  );
}

function Scans({ site, cert, lookup: { certImages } }: { site: Site; cert: ReadCert; lookup: GradedLookup }) {
  const shown = (['front', 'back'] as const).flatMap((side) => {
    const src = shownImage(site, certImages?.[side] ?? null);
    return src === null ? [] : [{ label: side === 'front' ? 'Front of the slab' : 'Back of the slab', src }];
  });
  if (shown.length === 0) return null;
  return (
    <figure class="scans">
      {shown.map(({ label, src }) => (
        <img key={src} src={src} alt={label} width={150} height={210} loading="lazy" />
      ))}
      <figcaption>Scan by {cert.company}</figcaption>
    </figure>
  );
}
