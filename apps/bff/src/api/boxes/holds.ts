/** Whether a stored record has every value that was sent. */
export function holds(stored: object, sent: object): boolean {
  return Object.keys(differing(stored, sent)).length === 0;
}

/** The sent values that a stored record lacks, apart from line endings and trailing white space. */
export function differing<Sent extends object>(stored: object, sent: Sent): Partial<Sent> {
  const kept = new Map<string, unknown>(Object.entries(stored));
  const entries = Object.entries(sent).filter(
    ([name, value]) => value !== undefined && tidy(kept.get(name)) !== tidy(value),
  );
  return Object.fromEntries(entries) as Partial<Sent>;
}

function tidy(value: unknown): unknown {
  return typeof value === 'string' ? value.replaceAll('\r\n', '\n').trimEnd() : value;
}
