import { MAX_TAG_CHARS, TAG_KIND } from '../catalog/tags/tag.ts';
import { invalidParameter } from '../http/problem.ts';

export const MAX_TAGS = 8;
const MAX_TOKEN_CHARS = 160;

/**
 * The tags that a search asks for, as `kind:slug`; null when the parameter is absent. An empty value stays as ''; no card
 * has it. Throws `invalid_parameter` for what is no tag at all.
 */
export function tagsAsked(parameter: string | readonly string[] | undefined): string[] | null {
  if (parameter === undefined) return null;
  const tokens = [parameter].flat();
  if (tokens.length > MAX_TAGS) throw invalidParameter('tag', `At most ${MAX_TAGS} tags can be asked for at once.`);
  return tokens.map((token) => {
    if ([...token].length > MAX_TOKEN_CHARS) {
      throw invalidParameter('tag', `A tag has at most ${MAX_TOKEN_CHARS} characters.`);
    }
    if (/\p{Cc}/u.test(token)) throw invalidParameter('tag', 'A tag has no control characters.');
    if (token.trim() === '') return '';
    const colon = token.indexOf(':');
    if (colon < 0 || !TAG_KIND.test(token.slice(0, colon))) {
      throw invalidParameter('tag', 'A tag is written kind:slug, such as color:blue; the kind in lower case.');
    }
    if ([...token.slice(colon + 1)].length > MAX_TAG_CHARS) {
      throw invalidParameter('tag', `The slug of a tag has at most ${MAX_TAG_CHARS} characters.`);
    }
    return token;
  });
}
