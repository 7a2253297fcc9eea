/** Dates in a secret's custom metadata that the console reminds of. Without schemas, for pages that only show them. */

/** The keys of custom metadata: when the secret stops working, and when it should have been replaced. */
export const secretDateKinds = ['expires', 'rotate_by'] as const;
export type SecretDateKind = (typeof secretDateKinds)[number];

const format = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d))?$/;

/**
 * Reads a date (2026-12-31, which begins in UTC) or a time (2026-12-31T09:00Z).
 * @returns milliseconds since the epoch; undefined if it isn't a date that exists
 */
export function readSecretDate(text: string): number | undefined {
  const at = format.test(text) ? Date.parse(text) : NaN;
  // Date.parse reads February 31 as March 3.
  const day = text.slice(0, 10);
  return Number.isNaN(at) || !new Date(`${day}T00:00Z`).toISOString().startsWith(day) ? undefined : at;
}

/** The dates in custom metadata, by kind. */
export function secretDatesIn(
  custom: Readonly<Record<string, string>>,
): readonly { readonly kind: SecretDateKind; readonly at: number }[] {
  return secretDateKinds.flatMap((kind) => {
    const at = readSecretDate(custom[kind] ?? '');
    return at === undefined ? [] : [{ kind, at }];
  });
}
