import { hash } from 'node:crypto';
import { DEFAULT_PARAMS, GRADE_PRIORS, OTHER_GRADE, RAW_NOISE } from '../pricing/model/params.ts';
import { Z80 } from '../pricing/model/quote.ts';
import { canonicalJson } from './canonical-json.ts';

/** Every parameter of this version of the model, as canonical JSON: what a day's header states the hash of. */
export const PARAMETERS_TEXT = canonicalJson({
  ...DEFAULT_PARAMS,
  gradePriors: GRADE_PRIORS,
  otherGradePrior: OTHER_GRADE,
  rawNoise: RAW_NOISE,
  rangeSds80: Z80,
});

/** Its SHA-256, in hex. */
export const PARAMETERS_HASH = hash('sha256', PARAMETERS_TEXT, 'hex');
