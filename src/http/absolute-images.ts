/** Addresses of pictures in a serialized body that are site-relative: our own pictures, and no other text. */
const RELATIVE = /"(?:imageUrl(?:Lg|Thumb)?":"(?=\/(?!\/))|(?:front|back|item)":"(?=\/(?:images|demo)\/))/g;

/**
 * The same JSON with every address of a picture absolute. Views name our own pictures by their path, as pages show them;
 * a client of the API has no page to resolve a path against.
 */
export function absoluteImages(json: string, baseUrl: string): string {
  return json.replace(RELATIVE, (key) => key + baseUrl);
}
