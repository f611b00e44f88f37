type CardLine = { name: string; setName: string | null; printedNumber: string | null; grade: string; href: string };

/** A card in a table: its name as the link, and below it grade, set and number. */
export function CardCell({ card }: { card: CardLine }) {
  const { name, setName, printedNumber, grade, href } = card;
  return (
    <>
      <a class="row-link" href={href}>
        <bdi>{name}</bdi>
      </a>
      <span class="row-note">
        {grade}
        {setName !== null && (
          <>
            {' · '}
            <bdi>{setName}</bdi>
          </>
        )}
        {printedNumber !== null && ` #${printedNumber}`}
      </span>
    </>
  );
}
