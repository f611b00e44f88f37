import { Type } from 'typebox';

const MAX_LINKS = 3;
/** Controls, halves of characters, and marks that make a line read in another order than it was written. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\u2028\u2029\u202A-\u202E\u2066-\u2069]/u;
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;
const HOST_LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;
const MAILBOX = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;

/**
 * Formats of text that strangers send. Each reads its text a fixed number of times, and `maxLength` in the schema
 * says how long it may be; what a description says is what its format demands, and the caller reads it.
 */
export const TEXT_FORMATS: Record<string, (text: string) => boolean> = {
  'one-line': (text) => !UNPRINTABLE.test(text) && LETTER_OR_DIGIT.test(text) && !text.includes('://'),
  'plain-text': (text) =>
    !UNPRINTABLE.test(text.replace(/\r\n|[\n\t]/g, ' ')) && LETTER_OR_DIGIT.test(text) && linksIn(text) <= MAX_LINKS,
  email: isEmailAddress,
  'web-address': isWebAddress,
};

/** One line of 1 to `maxLength` characters. */
export function line(maxLength: number, what: string) {
  return Type.String({
    minLength: 1,
    maxLength,
    format: 'one-line',
    description: `${what}: one line with a letter or digit in it, without web addresses`,
  });
}

export const message = Type.String({
  minLength: 1,
  maxLength: 2000,
  format: 'plain-text',
  description: `what is wrong: plain text with at most ${MAX_LINKS} web addresses`,
});

export const contactEmail = Type.String({
  minLength: 3,
  maxLength: 254,
  format: 'email',
  description: 'an e-mail address in ASCII, such as name@shop.example',
});

export const sourceUrl = Type.String({
  minLength: 1,
  maxLength: 2000,
  format: 'web-address',
  description: 'an http or https address of the public web; it is shown to a person and never fetched',
});

export const cardHref = Type.String({
  minLength: 1,
  maxLength: 400,
  pattern: '^/card/[a-z0-9-]+/[a-z0-9-]+/[A-Za-z0-9-]+$',
  description: 'the href of a card: /card/{game}/{set}/{card}',
});

/** Text as it is kept: composed characters, line ends as `\n`, no space around it. */
export function clean(text: string): string {
  return text.normalize('NFC').replaceAll('\r\n', '\n').trim();
}

function linksIn(text: string): number {
  return text.match(/:\/\/|\bwww\./gi)?.length ?? 0;
}

function isEmailAddress(text: string): boolean {
  const at = text.indexOf('@');
  return at >= 1 && at <= 64 && MAILBOX.test(text.slice(0, at)) && isHostName(text.slice(at + 1));
}

/** A name with a dot in it whose last label is not a number: neither an address of a machine nor a bare host. */
function isHostName(text: string): boolean {
  const labels = text.split('.');
  return (
    text.length <= 253 &&
    labels.length >= 2 &&
    labels.every((label) => HOST_LABEL.test(label)) &&
    /\D/.test(labels.at(-1)!)
  );
}

function isWebAddress(text: string): boolean {
  if (!/^https?:\/\/[^\s\\"<>]+$/i.test(text) || UNPRINTABLE.test(text) || !URL.canParse(text)) return false;
  const { username, password, hostname } = new URL(text);
  return username === '' && password === '' && isHostName(hostname);
}
