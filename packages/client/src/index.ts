export type * from './api.ts';
export { type CallOptions, type Client, type ClientOptions, openClient } from './client.ts';
export type { ServerEvent } from './events.ts';
export { pages } from './pages.ts';
export { MintmarkProblem } from './problem.ts';
export type { Quota } from './send.ts';
