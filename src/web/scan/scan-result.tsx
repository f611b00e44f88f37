import type { LastSale } from '../../items/last-sales.ts';
import type { CardSummary } from '../../items/summary.ts';
import type { FoundByPhoto } from '../../search/photo/image-answer.ts';
import { Facts } from '../card/card-facts-line.tsx';
import { Name } from '../card/name.tsx';
import { CardArt } from '../card-picture.tsx';
import { ListPrice } from '../price.tsx';
import type { Site } from '../site/site.ts';

type ShownCard = CardSummary & { lastSale?: LastSale };

/** What one outline of a photo shows: cards that look like it, the likeliest first. */
export type ScannedCard = { items: readonly ShownCard[]; confidence: FoundByPhoto['confidence'] };

const BANDS: Record<FoundByPhoto['confidence'], string> = {
  high: 'We are sure that this is the card.',
  medium: 'Probably this card. Compare set, number and language: other printings share its art.',
  low: 'It may be one of these. Compare them with your card.',
  none: 'No card of the catalog looks like it.',
};

const SHORT_BANDS: Record<FoundByPhoto['confidence'], string> = {
  high: 'Sure',
  medium: 'Probably: compare set, number and language',
  low: 'Perhaps: compare it with your card',
  none: BANDS.none,
};

/** The card of a photo, and others that look like it. */
export function CardFound({ site, found: { items, confidence } }: { site: Site; found: ScannedCard }) {
  const [first, ...others] = items;
  return (
    <div class="scan-result">
      <p class={`scan-band scan-${confidence}`}>{BANDS[confidence]}</p>
      <div class="scan-first">
        <CardArt site={site} card={first!} size="tile" />
        <div>
          <CardWords card={first!} heading />
        </div>
      </div>
      <p>
        <a class="button" href={first!.href}>
          Grades, sales and chart
        </a>
      </p>
      {others.length > 0 && (
        <>
          <h3>Others that look like it</h3>
          <ul class="scan-others">
            {others.map((card) => (
              <li key={card.id}>
                <CardArt site={site} card={card} size="tile" />
                <div>
                  <CardWords card={card} />
                </div>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

type CardsOf = {
  site: Site;
  found: readonly ScannedCard[];
  /** Outlines in the photo; those beyond `found` were not compared. */
  boxes: number;
};

/** The cards of a photo, by the numbers that the photo shows them with. */
export function CardsFound({ site, found, boxes }: CardsOf) {
  const known = found.filter(({ confidence }) => confidence !== 'none').length;
  return (
    <div class="scan-result">
      <h2>
        {known} of {boxes} cards recognized
      </h2>
      {boxes > found.length && (
        <p class="muted">The first {found.length} cards were compared. Take the others in a photo of their own.</p>
      )}
      <ol class="scan-cards">
        {found.map(({ items: [first], confidence }, at) => (
          <li key={at} id={`scan-${at + 1}`}>
            <span class="scan-number">{at + 1}</span>
            {first === undefined ? (
              <p class="muted">{SHORT_BANDS.none}</p>
            ) : (
              <>
                <CardArt site={site} card={first} size="tile" />
                <div>
                  <CardWords card={first} />
                  <p class={`scan-sure scan-${confidence}`}>{SHORT_BANDS[confidence]}</p>
                </div>
              </>
            )}
          </li>
        ))}
      </ol>
    </div>
  );
}

/** `advice`: why the label of a slab could not be read, of a photo with a slab. `cards`: in the photo. */
export function NothingFound({ advice, cards }: { advice: string | null; cards: number }) {
  return (
    <div class="scan-result">
      <h2>{advice === null ? nothingOf(cards) : 'The slab could not be read'}</h2>
      <p>{advice ?? (cards === 1 ? BANDS.none : 'No card of the catalog looks like one of them.')}</p>
      <ul>
        {cards > 1 && <li>Come closer: at most one page of a binder, photographed on its own.</li>}
        <li>Lay the card flat on a plain surface, with all four corners in the picture.</li>
        <li>Avoid glare; take it out of a glossy sleeve.</li>
        <li>Of a slab, show the whole label, sharp and upright.</li>
        <li>
          Or <a href="/search">search by name</a>, or <a href="/cert">look up a slab by its number</a>.
        </li>
      </ul>
    </div>
  );
}

function nothingOf(cards: number): string {
  return cards === 1 ? 'No card found' : `None of ${cards} cards recognized`;
}

function CardWords({ card, heading = false }: { card: ShownCard; heading?: boolean }) {
  const link = (
    <a href={card.href}>
      <Name language={card.language}>{card.name}</Name>
    </a>
  );
  return (
    <>
      {heading ? <h2>{link}</h2> : link}
      <p class={heading ? 'muted' : 'muted small'}>
        <Facts card={card} />
      </p>
      <ListPrice card={card} />
    </>
  );
}
