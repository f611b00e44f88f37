import type { LastSale } from '../items/last-sales.ts';
import type { CardSummary } from '../items/summary.ts';
import { lineOf, printingOf } from './card/card-facts.ts';
import { Printing, SetName } from './card/card-facts-line.tsx';
import { Name } from './card/name.tsx';
import { CardArt, isPictured } from './card-picture.tsx';
import { ListPrice } from './price.tsx';
import type { Site } from './site/site.ts';

/** `note` is a line below the price; `lastSale` is shown where there is no price. */
type TileCard = Omit<CardSummary, 'tags'> & { note?: string; lastSale?: LastSale };

type Tiles = {
  site: Site;
  cards: readonly TileCard[];
  isRow?: boolean;
  /** Cards most of which have no picture are listed, each in a line. */
  mayBeList?: boolean;
};

/** Cards as a grid of pictures with their prices, or on phones a row: the name is the link, and the whole tile is its target. */
export function CardTiles({ site, cards, isRow = false, mayBeList = false }: Tiles) {
  const isList = mayBeList && cards.filter((card) => isPictured(site, card)).length * 2 < cards.length;
  return (
    <ul class={isRow ? 'tiles tiles-row' : isList ? 'tiles tiles-list' : 'tiles'}>
      {cards.map((card) => (
        <li key={card.id} class="tile" data-item={card.id} data-name={lineOf(card)}>
          <CardArt site={site} card={card} size={isList ? 'row' : 'tile'} />
          <a class="tile-name" href={card.href}>
            <Name language={card.language}>{card.name}</Name>
          </a>
          <TileFacts card={card} />
          <ListPrice card={card} />
          {card.note && <span class="tile-facts">{card.note}</span>}
        </li>
      ))}
    </ul>
  );
}

/** Which printing it is: a long name of a set is cut off, the rest never is. */
function TileFacts({ card }: { card: TileCard }) {
  const printing = printingOf(card);
  return (
    <>
      {card.setName !== null && (
        <span class="tile-set">
          <SetName set={card} />
        </span>
      )}
      {printing !== '' && (
        <span class="tile-facts">
          <Printing card={card} />
        </span>
      )}
    </>
  );
}
