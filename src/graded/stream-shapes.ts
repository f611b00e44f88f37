import { Type } from 'typebox';
import { STAGES } from './runs/stages.ts';
import { gradedLookup } from './shapes.ts';

/** The events of a valuation, by name: what each has as `data`. One `result` or `failed` is the last. */
export const SLAB_EVENTS = {
  progress: Type.Object({
    stage: Type.Enum([...STAGES]),
    message: Type.String({ description: 'One sentence for people.' }),
    status: Type.Enum(['running', 'ok', 'skipped', 'error']),
    done: Type.Optional(Type.Literal(true, { description: 'The stage is over.' })),
    data: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: 'What it found, by stage.' })),
  }),
  result: gradedLookup,
  failed: Type.Object({
    error: Type.String({ description: 'A word to branch on, as in problems.' }),
    detail: Type.String(),
  }),
};
