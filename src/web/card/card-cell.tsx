type CardLine = { name: string; setName: string | null; printedNumber: string | null; grade: string; href: string };

/** A card in a table: its name is the link, what distinguishes it is below. */
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
