import type { CardSummary } from '../items/summary.ts';
import { factsOf, gradeName } from './card/card-facts.ts';

type MarketCard = Pick<CardSummary, 'name' | 'setName' | 'printedNumber' | 'variation' | 'language' | 'href'>;

/** A card in a list over many sets: its name as the link, below it the grade and all that identifies the card. */
export function MarketCell({ card, gradeLabel }: { card: MarketCard; gradeLabel: string | null }) {
  return (
    <>
      <a class="row-link" href={card.href}>
        <bdi>{card.name}</bdi>
      </a>
      <span class="row-note">
        {[gradeLabel === null ? null : gradeName(gradeLabel), factsOf(card)].filter(Boolean).join(' · ')}
      </span>
    </>
  );
}
