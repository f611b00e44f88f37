/** Keyed hash of what must be recognized but not known: a caller, a cert, a cursor of ours. */
export type Fingerprint = (text: string) => Buffer;
