import type { CardSummary } from '../../items/summary.ts';

/** What identifies a card in lists: pages, feeds, structured data and Markdown name it by these; pure. */

export type PrintingFacts = Pick<CardSummary, 'setName' | 'printedNumber' | 'variation' | 'language'>;

/** What distinguishes a printing from others of its set, never cut off: `#4 · 1st Edition · Japanese`. */
export function printingOf({ printedNumber, variation, language }: Omit<PrintingFacts, 'setName'>): string {
  const number = printedNumber === null ? null : `#${printedNumber}`;
  return [number, variation, language === 'English' ? null : language].filter(Boolean).join(' · ');
}

/** The facts that distinguish a card from others of its name, in a line: `Base #4 · 1st Edition · Japanese`. */
export function factsOf(card: PrintingFacts): string {
  const printing = printingOf(card);
  if (card.setName === null) return printing;
  return [card.setName, printing].filter(Boolean).join(printing.startsWith('#') ? ' ' : ' · ');
}

/** A card in a line, for titles and lists outside its page: `Charizard, Base #4 · 1st Edition`. */
export function lineOf(card: PrintingFacts & { name: string }): string {
  return [card.name, factsOf(card)].filter(Boolean).join(', ');
}

const CONDITIONS: Readonly<Record<string, string>> = {
  'Raw A': 'Near Mint',
  'Raw B': 'Lightly Played',
  'Raw C': 'Moderately Played',
  'Raw D': 'Heavily Played',
};

/** A grade as collectors call it: `Ungraded, Near Mint (A)` for the label `Raw A`, others as they are. */
export function gradeName(label: string): string {
  const condition = CONDITIONS[label];
  return condition === undefined ? label : `Ungraded, ${condition} (${label.slice(-1)})`;
}
