import type { KeyObject } from 'node:crypto';
import { canonicalJson, type JsonValue } from './canonical-json.ts';
import type { RecordKeys } from './receipt.ts';
import { isSignedBy, parseBase64, signatureOf } from './signed-note.ts';
import { check, trustedKeys, verdictOf } from './trusted-keys.ts';

/** The files of a close, signed by the record's key (docs/methodology/record.md, section 7). */
export type BulkManifest = {
  bulk: 1;
  /** The close that the prices are of. */
  day: string;
  madeAt: string;
  attribution: { text: string; url: string };
  dataLicense: string | null;
  files: ManifestFile[];
  keys: RecordKeys;
  /** Base64: by the newest key, over the canonical JSON of all the rest. */
  signature: string;
};

export type ManifestFile = {
  name: string;
  kind: string;
  format: string;
  /** `YYYY-MM` of a file with the days of one month, else null. */
  month: string | null;
  rows: number;
  bytes: number;
  /** SHA-256, hex. */
  digest: string;
  url: string;
};

/** The canonical text of a manifest with its signature. */
export function signedManifest(manifest: Omit<BulkManifest, 'signature'>, key: KeyObject): string {
  const unsigned = manifest as unknown as Record<string, JsonValue>;
  return canonicalJson({ ...unsigned, signature: signatureOf(key, canonicalJson(unsigned)).toString('base64') });
}

/** What the check of a manifest found. `key` is the one that the trust begins with. */
export type ManifestVerdict =
  | { isVerified: true; day: string; files: ManifestFile[]; key: string }
  | { isVerified: false; because: string };

/** Whether a text says that it is a manifest, signed or not. */
export function isManifest(text: string): boolean {
  return /^\s*\{/.test(text) && /"bulk"\s*:/.test(text) && !/"receipt"\s*:/.test(text);
}

/** Checks the keys and the signature of a manifest; `trustedKey` as of `verifyReceipt`. Its files are checked by their digests. */
export function verifyManifest(text: string, trustedKey: string | null): ManifestVerdict {
  return verdictOf<ManifestVerdict>('it is not a list of files', () => {
    const manifest = JSON.parse(text) as BulkManifest;
    check(manifest?.bulk === 1 && Array.isArray(manifest.files), 'it is not a list of files');
    const keys = trustedKeys(manifest.keys, trustedKey);
    const { signature, ...unsigned } = manifest;
    const bytes = parseBase64(signature);
    const signed = canonicalJson(unsigned as unknown as JsonValue);
    check(bytes !== null && isSignedBy(keys.all.at(-1)!.publicKey, signed, bytes), 'its signature is wrong');
    return { isVerified: true, day: manifest.day, files: manifest.files, key: keys.trusted };
  });
}
