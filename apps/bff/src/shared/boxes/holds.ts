/**
 * Whether a stored record has every value that was sent. Line ends and spaces at the end of a text are the registry's to
 * tidy.
 */
export function holds(stored: object, sent: object): boolean {
  const kept = new Map<string, unknown>(Object.entries(stored));
  return Object.entries(sent).every(
    ([name, value]) => value === undefined || tidy(kept.get(name)) === tidy(value),
  );
}

function tidy(value: unknown): unknown {
  return typeof value === 'string' ? value.replaceAll('\r\n', '\n').trimEnd() : value;
}
