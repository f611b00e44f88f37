import { cleanText } from './formats/text.ts';

/**
 * An id by which other programs know a printing, as its space publishes it. Several printings may have one: a product of a
 * market is often every finish of a card.
 */
export type ExternalId = [space: string, id: string];

/** The name of an id space: a source or a market. */
export const ID_SPACE = /^[a-z0-9][a-z0-9-]{0,39}$/;
/** Before the space, the rows of what the operator states: no source has such a name. */
export const OPERATOR_SPACE = 'own:';
export const MAX_ID_CHARS = 200;
/** Of one printing in one list; what a source states beyond that is left out. */
export const MAX_EXTERNAL_IDS = 30;

/** What a source states by space: a text, a number, a list of them, or nothing. */
export function statedIds(stated: Readonly<Record<string, unknown>>): ExternalId[] {
  return Object.entries(stated)
    .flatMap(([space, value]) =>
      (Array.isArray(value) ? value : [value]).flatMap((one): ExternalId[] => {
        const id = cleanText(one);
        return id === null || id.length > MAX_ID_CHARS ? [] : [[space, id]];
      }),
    )
    .slice(0, MAX_EXTERNAL_IDS);
}

/** What may be said of a printing besides an id that several have. */
export type PrintingChoice = { variation?: string | null | undefined; language?: string | null | undefined };

/** True for a printing of this variation (`plain`: without one) and language, each where it is said. */
export function isChosen(
  printing: { variation: string | null; language: string },
  { variation, language }: PrintingChoice,
): boolean {
  const isSame = (a: string, b: string | null | undefined) => b == null || a.toLowerCase() === b.toLowerCase();
  return isSame(printing.variation ?? 'plain', variation) && isSame(printing.language, language);
}

/** As it is stored: the space has no blank. */
export function storedExternalId([space, id]: ExternalId): string {
  return `${space} ${id}`;
}

export function externalIdOf(stored: string): ExternalId {
  const blank = stored.indexOf(' ');
  return [stored.slice(0, blank), stored.slice(blank + 1)];
}
