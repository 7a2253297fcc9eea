/** The configuration can't be used. The message is one line for its author. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}
