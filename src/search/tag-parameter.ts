import { MAX_TAG_CHARS, TAG_KIND } from '../catalog/tags/tag.ts';
import { quoted } from '../http/allowed.ts';
import { invalidParameter, invalidValue } from '../http/problem.ts';

export const MAX_TAGS = 8;
const MAX_TOKEN_CHARS = 160;

/**
 * The tags that a search requests, as `kind:slug`; null when the parameter is absent. An empty value stays as ''; no card
 * has it. Throws `invalid_parameter` for what is not a tag at all.
 */
export function tagsRequested(parameter: string | readonly string[] | undefined): string[] | null {
  if (parameter === undefined) return null;
  const tokens = [parameter].flat();
  if (tokens.length > MAX_TAGS)
    throw invalidParameter('tag', `tag may be sent at most ${MAX_TAGS} times; got it ${tokens.length} times.`);
  return tokens.map((token) => {
    if ([...token].length > MAX_TOKEN_CHARS) {
      throw invalidParameter('tag', `tag must have at most ${MAX_TOKEN_CHARS} characters; got ${[...token].length}.`);
    }
    if (/\p{Cc}/u.test(token))
      throw invalidParameter('tag', `tag must not contain control characters; got ${quoted(token)}.`);
    if (token.trim() === '') return '';
    const colon = token.indexOf(':');
    if (colon < 0 || !TAG_KIND.test(token.slice(0, colon))) {
      throw invalidValue('tag', 'kind:slug, such as color:blue, its kind in lower case', token);
    }
    const slugLength = [...token.slice(colon + 1)].length;
    if (slugLength > MAX_TAG_CHARS) {
      throw invalidParameter(
        'tag',
        `The slug of tag must have at most ${MAX_TAG_CHARS} characters; got ${slugLength}.`,
      );
    }
    return token;
  });
}
