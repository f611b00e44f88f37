import { Type } from 'typebox';
import { endpoint } from '../http/endpoint.ts';

/** `GET /v1/usage`: what is left of the caller's budgets. It costs nothing. */
export const usage = endpoint({
  id: 'usage',
  reads: 'primary',
  summary: 'What is left of your budgets; costs nothing',
  response: Type.Object({
    tier: Type.Enum(['partner', 'public']),
    policies: Type.Array(
      Type.Object({
        policy: Type.String(),
        limit: Type.Integer(),
        remaining: Type.Integer({ description: 'A lower bound while other requests of yours are under way.' }),
        resetsAt: Type.String({ format: 'date-time' }),
      }),
    ),
  }),
  maxAgeSeconds: 'no-store',
  policy: 'free',
  async handle({ gate, clock }, { caller }) {
    const standings = await gate.standings(caller);
    const policies = standings.map(({ policy, limit, remaining, resetInMs }) => ({
      policy,
      limit,
      remaining,
      // Two clocks take part, the database's and ours: midnight comes out to some milliseconds.
      resetsAt: new Date(Math.round((clock() + resetInMs) / 1000) * 1000).toISOString(),
    }));
    return { body: { tier: caller.tier, policies } };
  },
});
