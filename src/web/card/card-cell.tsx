import { Name } from './name.tsx';

type CardLine = { name: string; setName: string | null; printedNumber: string | null; grade: string; href: string };

/** A card in a table: its name as the link, and below it grade, set and number. */
export function CardCell({ card }: { card: CardLine }) {
  const { name, setName, printedNumber, grade, href } = card;
  return (
    <>
      <a class="row-link" href={href}>
        <Name>{name}</Name>
      </a>
      <span class="row-note">
        {grade}
        {setName !== null && (
          <>
            {' · '}
            <Name>{setName}</Name>
          </>
        )}
        {printedNumber !== null && ` #${printedNumber}`}
      </span>
    </>
  );
}
