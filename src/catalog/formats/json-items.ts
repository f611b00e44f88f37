import { readChunks } from './files.ts';

/** One element of a JSON array, or one member of a JSON object, cut out of a file that is never whole in memory. */
export type JsonItem =
  | { key: string | null; position: number; value: unknown }
  /**
   * Text that is not JSON, or too long, at this position (from 1); the items after it are still read. `absent` is true
   * for the only item of a file that is sound but has nothing at the requested place.
   */
  | { key: null; position: number; problem: string; absent?: boolean };

const MAX_ITEM_BYTES = 64 * 2 ** 20;
const MAX_KEY_BYTES = 4096;
const [QUOTE, BACKSLASH, COMMA, OPEN_LIST, CLOSE_LIST, OPEN, CLOSE] = [...'"\\,[]{}'].map((sign) => sign.charCodeAt(0));

/**
 * The items of the JSON array or object at `under` (member names from the top; none for the top value), one at a time,
 * in memory of one item. Cuts by brackets and strings and leaves the rest to JSON.parse: unlike a token parser it
 * reports a damaged item and goes on. Its last item is a problem when the file ends too early or has no such value.
 */
export async function* readJsonItems(
  path: string,
  under: readonly string[] = [],
  maxItemBytes = MAX_ITEM_BYTES,
): AsyncGenerator<JsonItem> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const target = under.length + 1;
  let open = 0; // brackets open here
  let opened = false;
  let onPath = 0; // how many of them, from the outside, lead to `under`
  let inString = false;
  let escaped = false;
  let inObject = false;
  let found = false;
  let position = 0;
  let parts: Buffer[] = [];
  let bytes = 0;
  const keep = (part: Buffer) => {
    bytes += part.length;
    if (bytes <= (open >= target ? maxItemBytes : MAX_KEY_BYTES)) parts.push(part);
    else parts = [];
  };
  const drop = () => {
    parts = [];
    bytes = 0;
  };
  const cut = (): JsonItem | null => {
    const text = Buffer.concat(parts);
    const length = bytes;
    drop();
    if (length <= maxItemBytes && text.every((byte) => byte <= 32)) return null;
    position++;
    if (length > maxItemBytes) return { key: null, position, problem: `longer than ${maxItemBytes} bytes` };
    return parseItem(decoder, text, inObject, position);
  };

  for await (const chunk of readChunks(path)) {
    let from = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at];
      if (escaped) escaped = false;
      else if (inString) {
        if (byte === BACKSLASH) escaped = true;
        else if (byte === QUOTE) inString = false;
      } else if (byte === QUOTE) inString = true;
      else if (byte === OPEN || byte === OPEN_LIST) {
        if (onPath === open && onPath < target) {
          keep(chunk.subarray(from, at));
          if (open === 0 || endsWithKey(parts, under[open - 1]!)) onPath++;
          drop();
          from = at + 1;
          if (onPath === target && open + 1 === target) {
            found = true;
            inObject = byte === OPEN;
          }
        }
        open++;
        opened = true;
      } else if (byte === CLOSE || byte === CLOSE_LIST || byte === COMMA) {
        const ends = byte !== COMMA;
        if (onPath === target && open === target) {
          keep(chunk.subarray(from, at));
          const item = cut();
          if (item) yield item;
          from = at + 1;
        } else if (open <= onPath || onPath < target) {
          drop();
          from = at + 1;
        }
        if (ends) {
          open = Math.max(0, open - 1);
          if (onPath > open) onPath = open;
        }
      }
    }
    if (onPath === open || onPath === target) keep(chunk.subarray(from));
  }
  if (open > 0) yield { key: null, position: position + 1, problem: 'the file ends too early' };
  else if (!found) yield { key: null, position: 1, problem: 'no JSON of the expected shape', absent: opened };
}

function endsWithKey(parts: Buffer[], name: string): boolean {
  return Buffer.concat(parts).toString('latin1').trim().replace(/\s*:$/, '') === JSON.stringify(name);
}

function parseItem(
  decoder: InstanceType<typeof TextDecoder>,
  bytes: Buffer,
  inObject: boolean,
  position: number,
): JsonItem {
  try {
    const text = decoder.decode(bytes);
    if (!inObject) return { key: null, position, value: JSON.parse(text) as unknown };
    const [member] = Object.entries(JSON.parse(`{${text}}`) as Record<string, unknown>);
    return { key: member![0], position, value: member![1] };
  } catch (error) {
    const why = error instanceof SyntaxError ? `not JSON (${error.message.slice(0, 120)})` : 'not UTF-8 text';
    return { key: null, position, problem: why };
  }
}
