/** Of aliases for shipped clients: since 2026-01-01 (RFC 9745), and a version of 2028 may lack them (RFC 8594). */
export const LEGACY_HEADERS = {
  deprecation: '@1767225600',
  sunset: 'Sat, 01 Jan 2028 00:00:00 GMT',
  link: '</changelog>; rel="deprecation sunset"',
};
