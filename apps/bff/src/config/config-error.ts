/** The configuration cannot be used. The message is one line for the person who wrote it. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}
