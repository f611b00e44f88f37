/** Every answer may be read from any page: bodies never depend on the caller. */
export const CORS_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'Content-Digest, Repr-Digest, ETag, Link, Location, Retry-After, RateLimit, RateLimit-Policy, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id, Deprecation, Sunset',
} as const;

/** X-Api-Secret is left out on purpose: a browser then does not send it, so it stays out of browser bundles. */
export const PREFLIGHT_HEADERS = {
  'access-control-allow-methods': 'GET, HEAD, POST, OPTIONS',
  'access-control-allow-headers':
    'Content-Type, If-None-Match, Idempotency-Key, Last-Event-ID, X-Api-Key, X-Request-Id',
  'access-control-max-age': '86400',
} as const;
