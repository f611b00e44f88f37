import { factsOf, gradeName, type PrintingFacts } from './card-facts.ts';
import { Name } from './name.tsx';

type CardLine = PrintingFacts & { name: string; grade: string; href: string };

/** A card in a table: its name as the link, and below it its grade and what identifies the printing. */
export function CardCell({ card }: { card: CardLine }) {
  const facts = factsOf(card);
  return (
    <>
      <a class="row-link" href={card.href}>
        <Name>{card.name}</Name>
      </a>
      <span class="row-note">
        {gradeName(card.grade)}
        {facts !== '' && (
          <>
            {' · '}
            <Name>{facts}</Name>
          </>
        )}
      </span>
    </>
  );
}
