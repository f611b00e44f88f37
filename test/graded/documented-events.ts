import Value from 'typebox/value';
import { expect } from 'vitest';
import { SLAB_EVENTS } from '../../src/graded/stream-shapes.ts';
import type { SseEvent } from '../support/servers/sse-client.ts';

/** Each event is one that the OpenAPI 3.2 document describes, with the data that it says. */
export function expectDocumented(events: readonly SseEvent[]): void {
  for (const { event, data } of events) {
    const schema = SLAB_EVENTS[event as keyof typeof SLAB_EVENTS];
    expect(schema, event).toBeDefined();
    expect([...Value.Errors(schema, data)], JSON.stringify(data)).toEqual([]);
  }
}
