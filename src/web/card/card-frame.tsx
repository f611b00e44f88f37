import type { ComponentChildren } from 'preact';
import type { CardSummary } from '../../items/summary.ts';
import { CardArt } from '../art.tsx';
import { Section } from '../layout.tsx';
import type { Site } from '../site/site.ts';
import { CardTiles } from '../tile.tsx';
import type { ItemDetail } from './card-price.tsx';
import { Printings } from './card-tables.tsx';
import { gameLabel } from './card-words.ts';

/** What both pages of a card have: its head, other printings, neighbours, and how to use what they say. */

type Card = Pick<CardSummary, 'game' | 'name' | 'setName' | 'setCode' | 'printedNumber' | 'variation' | 'language'> & {
  imageUrl: string | null;
  imageUrlThumb?: string | null;
  rarity?: string | null;
  year?: number | null;
  tags?: CardSummary['tags'];
};

/** Picture, name, what distinguishes the card from others, and the first facts of the page. */
export function CardHead({
  site,
  card,
  gradeLabel,
  children,
}: {
  site: Site;
  card: Card;
  gradeLabel: string | null;
  children: ComponentChildren;
}) {
  return (
    <div class="card-head">
      <div class="card-art">
        <CardArt site={site} card={{ imageUrlThumb: null, ...card }} size="page" />
      </div>
      <header class="card-title">
        <h1>
          <bdi>{card.name}</bdi>
          {gradeLabel !== null && <span class="grade">{gradeLabel}</span>}
        </h1>
        <Identity card={card} />
      </header>
      <div class="card-first">{children}</div>
    </div>
  );
}

function Identity({ card }: { card: Card }) {
  const facts = [
    ['Game', gameLabel(card.game)],
    ['Set', card.setCode === null ? card.setName : `${card.setName} (${card.setCode})`],
    ['Number', card.printedNumber],
    ['Variation', card.variation],
    ['Rarity', card.rarity],
    ['Language', card.language],
    ['Year', card.year],
  ].filter(([, value]) => value !== null && value !== undefined);
  return (
    <dl class="identity">
      {facts.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            <bdi>{value}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  );
}

export function OtherPrintings({
  languages,
  variants,
}: {
  languages: ItemDetail['otherLanguages'];
  variants: ItemDetail['otherVariants'];
}) {
  if (languages.length + variants.length === 0) return null;
  return (
    <div class="printing-parts">
      {variants.length > 0 && (
        <Section id="variants" title="Other variants">
          <Printings cards={variants} differBy="variation" />
        </Section>
      )}
      {languages.length > 0 && (
        <Section id="languages" title="Other languages">
          <Printings cards={languages} differBy="language" />
        </Section>
      )}
    </div>
  );
}

export function SimilarCards({ site, cards }: { site: Site; cards: readonly CardSummary[] }) {
  if (cards.length === 0) return null;
  return (
    <Section id="similar" title="Similar cards in this set">
      <CardTiles site={site} cards={cards} />
    </Section>
  );
}

/** How to cite the number, where the API has it, where to report an error. */
export function UseThis({
  href,
  call,
  attribution,
}: {
  href: string;
  call: string;
  attribution: ItemDetail['attribution'];
}) {
  return (
    <Section id="use" title="Cite or use this price">
      <div class="use">
        <div>
          <h3>Cite it</h3>
          <p>
            <code id="attribution">{`${attribution.text}: ${attribution.url}`}</code>
          </p>
          <button type="button" class="button-quiet no-print" data-copy="attribution" hidden>
            Copy attribution
          </button>
        </div>
        <div>
          <h3>API</h3>
          <p>
            <a href={call}>
              <code>GET {call}</code>
            </a>
          </p>
        </div>
        <div>
          <h3>Something wrong?</h3>
          <p>
            A wrong picture, name or sale: <a href={`/report?card=${encodeURIComponent(href)}`}>report a problem</a>{' '}
            with this card.
          </p>
        </div>
      </div>
    </Section>
  );
}
