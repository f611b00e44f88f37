import type { ComponentChildren } from 'preact';
import { englishSetName } from '../../catalog/english-set-names.ts';
import type { Game } from '../../catalog/games.ts';
import { type PrintingFacts, printingOf } from './card-facts.ts';
import { Name } from './name.tsx';

/** Between facts, at the end of a line where it breaks. */
export const AND = '\u00a0· ';

/** The facts of a card as `factsOf` words them, each name in its own language; nothing without any. */
export function Facts({ card }: { card: PrintingFacts }) {
  const printing = printingOf(card);
  if (card.setName === null && printing === '') return null;
  return (
    <>
      {card.setName !== null && <Name language={card.language}>{card.setName}</Name>}
      {card.setName !== null && printing !== '' && (printing.startsWith('#') ? ' ' : AND)}
      <Printing card={card} />
    </>
  );
}

/** What `printingOf` says; a number is not broken at its hyphen. */
export function Printing({ card }: { card: PrintingFacts }): ComponentChildren {
  const { printedNumber, variation, language } = card;
  const others = printingOf({ printedNumber: null, variation, language });
  if (printedNumber === null) return others !== '' && <Name language={language}>{others.replaceAll(' · ', AND)}</Name>;
  return (
    <>
      <span class="number">#{printedNumber}</span>
      {others !== '' && (
        <>
          {AND}
          <Name language={language}>{others.replaceAll(' · ', AND)}</Name>
        </>
      )}
    </>
  );
}

type NamedSet = { game: Game | string; setName: string | null; setCode: string | null; language: string | null };

/** The name of a set, with its English one in brackets where the name is in another script; nothing without a name. */
export function SetName({ set }: { set: NamedSet }) {
  if (set.setName === null) return null;
  const english = englishSetName(set);
  return (
    <>
      <Name language={set.language}>{set.setName}</Name>
      {english !== null && ` (${english})`}
    </>
  );
}
