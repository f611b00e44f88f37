/**
 * One check of the doctor: its state, and what to do. `fail`: something is broken or at risk until it is corrected, and the
 * doctor ends with exit code 1. `warn`: it may pass by itself, or waits for a person.
 */
export type Finding = { state: 'ok' | 'warn' | 'fail'; what: string; advice?: string };

export const ok = (what: string): Finding => ({ state: 'ok', what });

export const warn = (what: string, advice: string): Finding => ({ state: 'warn', what, advice });

export const fail = (what: string, advice: string): Finding => ({ state: 'fail', what, advice });
