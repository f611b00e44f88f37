/** Money. Amounts are integers of a currency's minor unit; prices of the service are integer US cents. */

/** Currencies a sale may be recorded in, with the digits of their minor unit (ISO 4217). */
const MINOR_DIGITS: Record<string, number> = {
  USD: 2,
  EUR: 2,
  GBP: 2,
  CAD: 2,
  AUD: 2,
  NZD: 2,
  CHF: 2,
  CNY: 2,
  HKD: 2,
  SGD: 2,
  SEK: 2,
  NOK: 2,
  DKK: 2,
  PLN: 2,
  MXN: 2,
  BRL: 2,
  THB: 2,
  TWD: 2,
  PHP: 2,
  MYR: 2,
  CZK: 2,
  IDR: 2,
  INR: 2,
  TRY: 2,
  ZAR: 2,
  JPY: 0,
  KRW: 0,
  VND: 0,
};

/** Digits of a currency's minor unit, or null for a currency that is not known. */
export function minorDigits(currency: string): number | null {
  return Object.hasOwn(MINOR_DIGITS, currency) ? MINOR_DIGITS[currency]! : null;
}

/** Rounds halves up (toward positive infinity), as prices are rounded everywhere. */
export function roundHalfUp(value: number): number {
  return Math.floor(value + 0.5);
}

/**
 * Reads a plain decimal amount ("1234.5", "16500") into minor units of `currency`, exactly, without floating point.
 * Signs, exponents, thousands separators and currency signs are rejected: null. More decimals than the currency has
 * are accepted only when they are zeros.
 */
export function parseAmount(text: string, currency: string): number | null {
  const digits = minorDigits(currency);
  const match = /^(\d{1,12})(?:\.(\d{1,8}))?$/.exec(text.trim());
  if (digits === null || match === null) return null;
  const decimals = match[2] ?? '';
  if (/[^0]/.test(decimals.slice(digits))) return null;
  const minor = Number(match[1] + decimals.slice(0, digits).padEnd(digits, '0'));
  return Number.isSafeInteger(minor) ? minor : null;
}

/** US cents of `priceMinor` in `currency` at `usdPerUnit` (US dollars for one whole unit of the currency), half up. */
export function toUsdCents(priceMinor: number, currency: string, usdPerUnit: number): number {
  const digits = minorDigits(currency);
  if (digits === null) throw new RangeError(`unknown currency ${currency}`);
  return roundHalfUp((priceMinor / 10 ** digits) * usdPerUnit * 100);
}

/** A plain percent with two decimals: -5.33 is minus 5.33%. */
export function percent(ratio: number): number {
  return Math.round(ratio * 10_000) / 100;
}
