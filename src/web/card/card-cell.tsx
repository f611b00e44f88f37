import { factsOf, gradeName, type PrintingFacts } from './card-facts.ts';

type CardLine = PrintingFacts & { name: string; grade: string; href: string };

/** A card in a table: its name as the link, and below it its grade and what identifies the printing. */
export function CardCell({ card }: { card: CardLine }) {
  const facts = factsOf(card);
  return (
    <>
      <a class="row-link" href={card.href}>
        <bdi>{card.name}</bdi>
      </a>
      <span class="row-note">
        {gradeName(card.grade)}
        {facts !== '' && (
          <>
            {' · '}
            <bdi>{facts}</bdi>
          </>
        )}
      </span>
    </>
  );
}
