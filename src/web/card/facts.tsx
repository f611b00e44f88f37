import { type PrintingFacts, printingOf } from './card-facts.ts';
import { Name } from './name.tsx';

/** The facts of a card as `factsOf` words them, each name in its own language. */
export function Facts({ card }: { card: PrintingFacts }) {
  const printing = printingOf(card);
  return (
    <>
      {card.setName !== null && <Name language={card.language}>{card.setName}</Name>}
      {card.setName !== null && printing !== '' && (printing.startsWith('#') ? ' ' : ' · ')}
      {printing !== '' && <Name language={card.language}>{printing}</Name>}
    </>
  );
}
