import type { Game } from '../catalog/games.ts';
import type { CardSummary } from '../items/summary.ts';
import { type Site, shownImage } from './site/site.ts';

type Pictured = Pick<CardSummary, 'name' | 'printedNumber' | 'imageUrl' | 'imageUrlThumb'> & { game: Game | string };

/** True for a card whose picture pages show. */
export function isPictured(site: Site, { imageUrl, imageUrlThumb }: Pictured): boolean {
  return shownImage(site, imageUrlThumb ?? imageUrl) !== null;
}

/** Pixels of a card's picture by its place; CSS may show it smaller. */
const SIZES = {
  page: { width: 367, height: 512 },
  tile: { width: 245, height: 342 },
  row: { width: 40, height: 56 },
} as const;

/** A longer number does not fit into a placeholder. */
const NUMBER_CHARS = 14;

/**
 * A card's picture, or a blank card where pages may not show one. On a `page` it has a text alternative; in a `tile`
 * or a `row` the name is next to it.
 */
export function CardArt({ site, card, size }: { site: Site; card: Pictured; size: keyof typeof SIZES }) {
  const onPage = size === 'page';
  const url = onPage ? (card.imageUrl ?? card.imageUrlThumb) : (card.imageUrlThumb ?? card.imageUrl);
  const shown = shownImage(site, url);
  if (shown === null) return <BlankCard card={card} size={size} />;
  return (
    <img
      class={`art art-${size}`}
      src={shown}
      alt={onPage ? `${card.name}, front of the card` : ''}
      {...SIZES[size]}
      loading={onPage ? 'eager' : 'lazy'}
      fetchpriority={onPage ? 'high' : undefined}
      decoding="async"
    />
  );
}

/** A card back to front: frame, empty window, number. Drawn by the stylesheet, so that a thousand of them cost little. */
function BlankCard({ card, size }: { card: Pictured; size: keyof typeof SIZES }) {
  const { game, printedNumber: number } = card;
  return (
    <span class={`art art-${size} blank blank-${game}`} aria-hidden="true">
      {number !== null && number.length <= NUMBER_CHARS && <span>{number}</span>}
    </span>
  );
}
