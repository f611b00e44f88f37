import type { Company } from './grades.ts';

/** Companies whose slabs are priced. */
export type CertCompany = Exclude<Company, 'RAW'>;

/** Graders whose certs are recognized by their form, and answered without a price. */
export const UNSUPPORTED_GRADERS = ['SGC', 'TAG', 'ACE', 'HGA', 'GMA', 'AGS', 'ARS', 'MNT'] as const;
type UnsupportedGrader = (typeof UNSUPPORTED_GRADERS)[number];

/** A cert that was read. */
export type ReadCert = {
  company: CertCompany | UnsupportedGrader;
  /** As printed, leading zeros kept. */
  certNumber: string;
  /** The number without leading zeros: what is looked up. */
  key: string;
  /** Grader and number in one: `PSA149595098`. */
  cert: string;
};

export type CertReading =
  | ({ kind: 'cert'; company: CertCompany } & ReadCert)
  | ({ kind: 'unsupported'; company: UnsupportedGrader } & ReadCert)
  | { kind: 'invalid' };

/** Every prefix that is read; BVG and BCCG are Beckett's, with numbers of the same run. */
const COMPANIES: Readonly<Record<string, CertCompany>> = {
  PSA: 'PSA',
  BGS: 'BGS',
  BECKETT: 'BGS',
  BVG: 'BGS',
  BCCG: 'BGS',
  CGC: 'CGC',
};

const CERT = new RegExp(`^(${[...Object.keys(COMPANIES), ...UNSUPPORTED_GRADERS].join('|')})?[ -]?(\\d{5,20})$`, 'i');
/** TAG's own numbers have letters, and at least one digit: `TAG TEAM` is not one. */
const TAG_CERT = /^TAG[ -]?(?=[A-Z]*\d)([A-Z0-9]{5,20})$/i;

/**
 * Reads a cert: a grader's prefix in any case, a space or dash, 5 to 20 digits; space around it is ignored. Bare digits
 * are PSA's. Never throws.
 */
export function readCert(sent: string): CertReading {
  const text = sent.trim();
  const [, prefix = 'PSA', digits] = CERT.exec(text) ?? [];
  if (digits !== undefined) {
    const grader = graderOf(prefix)!;
    return readingOf(grader, digits);
  }
  const [, letters] = TAG_CERT.exec(text) ?? [];
  return letters === undefined ? { kind: 'invalid' } : readingOf('TAG', letters.toUpperCase());
}

/** The grader that a word means (`Beckett` is BGS), or null for one that is not known. */
export function graderOf(word: string): CertCompany | UnsupportedGrader | null {
  const upper = word.trim().toUpperCase();
  if (Object.hasOwn(COMPANIES, upper)) return COMPANIES[upper]!;
  return UNSUPPORTED_GRADERS.find((grader) => grader === upper) ?? null;
}

/** The words by which rows of sales may name a grader: `BGS`, `BECKETT`, `BVG` and `BCCG` are one. */
export function wordsOfGrader(grader: ReadCert['company']): string[] {
  return [grader, ...Object.keys(COMPANIES).filter((word) => word !== grader && COMPANIES[word] === grader)];
}

function readingOf(grader: CertCompany | UnsupportedGrader, certNumber: string): CertReading {
  const rest = { certNumber, key: certNumber.replace(/^0+(?=.)/, ''), cert: grader + certNumber };
  return isPriced(grader)
    ? { kind: 'cert', company: grader, ...rest }
    : { kind: 'unsupported', company: grader, ...rest };
}

function isPriced(grader: CertCompany | UnsupportedGrader): grader is CertCompany {
  return grader === 'PSA' || grader === 'BGS' || grader === 'CGC';
}
