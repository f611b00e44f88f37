/** A setting that cannot be used; the message names it and says what it takes. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}
