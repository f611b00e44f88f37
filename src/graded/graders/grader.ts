import type { CertCompany } from '../../catalog/cert.ts';
import type { ServiceFault } from '../../http/outbound/service-client.ts';

/** A slab as its grader describes it. */
export type CertRecord = {
  company: CertCompany;
  /** As the grader writes it: `GEM MT 10`, `9.5 Gem Mint`, `N0: AUTHENTIC`. */
  gradeText: string;
  label: {
    year: number | null;
    /** Empty when the grader names no set. */
    setText: string;
    cardNumber: string | null;
    subject: string;
    variety: string | null;
    /** As the grader writes it; null when it states none of its own. */
    language: string | null;
    /** The label's whole description of the card, in one line, without company and grade. */
    text: string;
  };
  isDeactivated: boolean;
  /** Addresses of scans, absolute; null when there are none or they were not requested. */
  images: { front: string | null; back: string | null } | null;
  /** The grader's number of the card; null where it states none. */
  specId: string | null;
  /** Slabs of the card in this grade, and in higher ones; null where it does not say. */
  population: { atGrade: number; higher: number } | null;
  /** Id of the connection that answered. */
  graderId: string;
};

export type GraderAnswer =
  | { kind: 'found'; record: CertRecord }
  /** The grader says that it knows no such cert. */
  | { kind: 'unknown' }
  | {
      kind: 'unavailable';
      /** `bad_answer`: it answered, but not in the form that it should. */
      reason: ServiceFault | 'bad_answer';
      /** One sentence for people, without a secret. */
      message: string;
      retryAfterMs?: number;
    };

/** Reports the labels of one company's slabs. */
export type Grader = {
  id: string;
  displayName: string;
  company: CertCompany;
  /** Never throws for what the other side does. An abort ends it as `unavailable`, and is not a fault of the grader. */
  lookUp(certNumber: string, signal: AbortSignal): Promise<GraderAnswer>;
};

export type Graders = {
  all: readonly Grader[];
  /** The grader of a company; null when none is configured. */
  graderFor(company: CertCompany): Grader | null;
};
