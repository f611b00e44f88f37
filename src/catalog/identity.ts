import { createHash } from 'node:crypto';
import { uuidAt } from '../lib/uuid.ts';
import type { CatalogRecord } from './record.ts';
import { foldSlug } from './slug.ts';

/** Namespace of the UUIDv5 of items; never changes. */
const ITEM_NAMESPACE = Buffer.from('8f0e8f4a6c1b5d7e9a3247d05ec1b2a9', 'hex');

/** Separates the parts of an identity key; sorts before every character that a part can have. */
const SEPARATOR = '\u001f';

/**
 * What makes a printing itself: set, printed number, language, name, variation. Spelling differences between sources
 * (case, accents, punctuation, leading zeros) fold away; nothing else does.
 */
export function identityKey(setIdentity: string, record: CatalogRecord): string {
  return [
    cardKey(setIdentity, record),
    identityText(record.name),
    // LR+ and LR++ are two printings: the plus must not fold away.
    record.variation === null ? '' : identityText(record.variation.replaceAll('+', ' plus ')),
  ].join(SEPARATOR);
}

/** The part of an identity key shared by everything with one number of one set in one language. */
export function cardKey(setIdentity: string, record: CatalogRecord): string {
  return [setIdentity, identityNumber(record.number), record.language].join(SEPARATOR);
}

/** The name and variation parts of an identity key. */
export function nameAndVariationOf(identityKey: string): { name: string; variation: string } {
  const parts = identityKey.split(SEPARATOR);
  return { name: parts[3] ?? '', variation: parts[4] ?? '' };
}

/** Removes name and variation from an identity key: its card key. */
export function cardKeyOf(identityKey: string): string {
  return identityKey.split(SEPARATOR, 3).join(SEPARATOR);
}

/** `004` and `4`, `op05-119` and `OP05-119`, `4/102` and `4` are one number. */
function identityNumber(number: string | null): string {
  if (number === null) return '';
  return number
    .normalize('NFKC')
    .toUpperCase()
    .replace(/\s+/g, '')
    .replace(/^0+(?=\d)/, '')
    .replace(/^(\d+)\/\d+$/, '$1');
}

function identityText(text: string): string {
  const folded = foldSlug(text);
  return folded === '' ? text.normalize('NFKC').toLowerCase() : folded;
}

/** The id of an item: UUIDv5 (RFC 9562) of the identity key that it was first known by. */
export function itemIdOf(identityKey: string): string {
  const hash = createHash('sha1').update(ITEM_NAMESPACE).update(identityKey).digest();
  hash[6] = (hash[6]! & 0x0f) | 0x50;
  hash[8] = (hash[8]! & 0x3f) | 0x80;
  return uuidAt(hash, 0);
}
