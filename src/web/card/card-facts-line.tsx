import { englishSetName } from '../../catalog/english-set-names.ts';
import type { Game } from '../../catalog/games.ts';
import { type PrintingFacts, printingOf } from './card-facts.ts';
import { Name } from './name.tsx';

/** The facts of a card as `factsOf` words them, each name in its own language; nothing without any. */
export function Facts({ card }: { card: PrintingFacts }) {
  const printing = printingOf(card);
  if (card.setName === null && printing === '') return null;
  return (
    <>
      {card.setName !== null && <Name language={card.language}>{card.setName}</Name>}
      {card.setName !== null && printing !== '' && (printing.startsWith('#') ? ' ' : ' · ')}
      {printing !== '' && <Name language={card.language}>{printing}</Name>}
    </>
  );
}

type NamedSet = { game: Game | string; setName: string; setCode: string | null; language: string | null };

/** The name of a set, with its English one in brackets where the name is in another script. */
export function SetName({ set }: { set: NamedSet }) {
  const english = englishSetName(set);
  return (
    <>
      <Name language={set.language}>{set.setName}</Name>
      {english !== null && ` (${english})`}
    </>
  );
}
