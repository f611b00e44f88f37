import { isObject } from '../catalog/formats/text.ts';

/** The JSON of a body; undefined when it is not JSON. */
export function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** The value at a JSON pointer; undefined where there is no value. */
export function valueAt(value: unknown, at: string): unknown {
  let inner = value;
  for (const step of at.split('/').slice(1)) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(inner)) inner = /^\d+$/.test(key) ? inner[Number(key)] : undefined;
    else inner = isObject(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined;
  }
  return inner;
}
