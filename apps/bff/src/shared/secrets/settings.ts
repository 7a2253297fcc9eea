import { sorted } from '#ground/fields-revision.ts';

const unitSeconds: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, h: 3_600, d: 86_400 };

/** Seconds of a length of time as a person or a server writes it: `3600`, `90s`, `1h0m0s`. */
export function secondsOf(text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  let seconds = 0;
  for (const [, number = '0', unit = 's'] of text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)) {
    seconds += Number(number) * (unitSeconds[unit] ?? 1);
  }
  return seconds;
}

/** Settings as they are sent: every server reads a number of seconds, not all know days. */
export function settingsForWire<Fields extends { readonly delete_version_after?: string | undefined }>(
  fields: Fields,
): Fields {
  const { delete_version_after: after } = fields;
  return after === undefined
    ? fields
    : { ...fields, delete_version_after: `${Math.floor(secondsOf(after))}s` };
}

/** Whether stored settings are those that were sent; what was not sent may be anything. */
export function hasSettings(stored: object, sent: Readonly<Record<string, unknown>>): boolean {
  const kept = new Map<string, unknown>(Object.entries(stored));
  return Object.entries(sent).every(([name, value]) => {
    if (value === undefined) return true;
    const other = kept.get(name);
    if (name === 'delete_version_after') {
      return typeof other === 'string' && typeof value === 'string' && secondsOf(other) === secondsOf(value);
    }
    return JSON.stringify(sorted(other)) === JSON.stringify(sorted(value));
  });
}
