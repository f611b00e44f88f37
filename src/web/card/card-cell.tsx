import { factsOf, gradeName, lineOf, type PrintingFacts } from './card-facts.ts';
import { AND, Facts } from './card-facts-line.tsx';
import { Name } from './name.tsx';

/** `grade` null: not stated. With an `id` the card can be watched. */
type CardLine = PrintingFacts & { id?: string; name: string; grade: string | null; href: string };

/** A card in a list: its name as the link, and below it its grade and what identifies the printing. */
export function CardCell({ card }: { card: CardLine }) {
  const { id, name, language, grade, href } = card;
  return (
    <div class={id && 'watchable'} data-item={id} data-name={id && lineOf(card)}>
      <a class="row-link" href={href}>
        <Name language={language}>{name}</Name>
      </a>
      <span class="row-note">
        {grade !== null && gradeName(grade)}
        {grade !== null && factsOf(card) !== '' && AND}
        <Facts card={card} />
      </span>
    </div>
  );
}
