export const UUID_BYTES = 16;

/** The text of the UUID whose bytes begin at a place. */
export function uuidAt(bytes: Buffer, at: number): string {
  const hex = bytes.toString('hex', at, at + UUID_BYTES);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** Not after any UUID: where pages in the order of ids begin. */
export const LEAST_UUID = '00000000-0000-0000-0000-000000000000';

/** A UUID in lower case, as PostgreSQL writes it. */
export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
