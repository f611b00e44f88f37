import type { CardSummary } from '../items/summary.ts';
import { CardArt } from './art.tsx';
import { Name } from './card/name.tsx';
import { ListPrice } from './price.tsx';
import type { Site } from './site/site.ts';

/** `note` is a line below the price. */
type TileCard = Omit<CardSummary, 'tags'> & { note?: string };

/** Cards as a grid of pictures with their prices: the name is the link, and the whole tile is its target. */
export function CardTiles({ site, cards }: { site: Site; cards: readonly TileCard[] }) {
  return (
    <ul class="tiles">
      {cards.map((card) => (
        <li key={card.id} class="tile" data-item={card.id} data-name={`${card.name}, ${factsOf(card)}`}>
          <CardArt site={site} card={card} size="tile" />
          <a class="tile-name" href={card.href}>
            <Name language={card.language}>{card.name}</Name>
          </a>
          <span class="tile-facts">{factsOf(card)}</span>
          <ListPrice card={card} />
          {card.note && <span class="tile-facts">{card.note}</span>}
        </li>
      ))}
    </ul>
  );
}

/** The facts that distinguish a card from others of its name, in a line: `Base 4 · 1st Edition · Japanese`. */
export function factsOf({
  setName,
  printedNumber,
  variation,
  language,
}: Pick<CardSummary, 'setName' | 'printedNumber' | 'variation' | 'language'>): string {
  const printed = [setName, printedNumber === null ? null : `#${printedNumber}`].filter(Boolean).join(' ');
  return [printed, variation, language === 'English' ? null : language].filter(Boolean).join(' · ');
}
