import { ListFilter } from '../list-filter.tsx';
import type { CurrencyOffer } from '../quote/conversion.ts';
import { type Conversion, convertedWords } from '../quote/converted-words.ts';
import type { Ends } from './price-range.tsx';

type InCurrencyOf = {
  /** Of the page, without a query. */
  href: string;
  /** Parameters of the page's address that a choice of currency does not change. */
  kept?: Record<string, string | null>;
  offer: CurrencyOffer;
  /** Words for the converted amounts. */
  wordsOf(conversion: Conversion): string;
};

/** The amounts of a card in another currency, and the form that chooses one; nothing where no rates are imported. */
export function InCurrency({ href, kept, offer: { currencies, conversion }, wordsOf }: InCurrencyOf) {
  const options = currencies.map((code) => [code, code] as const);
  return (
    <>
      {conversion !== null && <p class="price-converted">{wordsOf(conversion)}</p>}
      {options.length > 0 && (
        <details class="in-currency no-print">
          <summary>In another currency</summary>
          <ListFilter
            path={href}
            label="Currency"
            kept={kept}
            fields={[
              {
                name: 'currency',
                label: 'Also in',
                chosen: conversion?.currency ?? null,
                options: [['', 'US dollars only'], ...options],
              },
            ]}
          />
        </details>
      )}
    </>
  );
}

type PriceInCurrencyOf = Pick<InCurrencyOf, 'kept' | 'offer'> & {
  card: { href: string; priceUsdCents: number | null; priceRangeUsdCents: Ends | null };
};

/** The same of a card at one grade. */
export function PriceInCurrency({ card, kept, offer }: PriceInCurrencyOf) {
  const { href, priceUsdCents: cents, priceRangeUsdCents: range } = card;
  if (cents === null) return null;
  return (
    <InCurrency
      href={href}
      kept={kept}
      offer={offer}
      wordsOf={(conversion) => convertedWords(conversion, cents, range)}
    />
  );
}
