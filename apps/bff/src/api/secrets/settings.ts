import { readDuration, wholeSeconds } from '@gatehouse/api-types/console/read-duration';
import { sorted } from '#ground/fields-revision.ts';

/** Settings for the wire, with durations in seconds, because not all servers understand days. */
export function settingsForWire<Fields extends { readonly delete_version_after?: string | undefined }>(
  fields: Fields,
): Fields {
  const { delete_version_after: after } = fields;
  return after === undefined ? fields : { ...fields, delete_version_after: `${wholeSeconds(after) ?? 0}s` };
}

/** Whether stored settings equal the sent ones. Settings that weren't sent aren't compared. */
export function hasSettings(stored: object, sent: Readonly<Record<string, unknown>>): boolean {
  const kept = new Map<string, unknown>(Object.entries(stored));
  return Object.entries(sent).every(([name, value]) => {
    if (value === undefined) return true;
    const other = kept.get(name);
    if (name === 'delete_version_after') {
      return (
        typeof other === 'string' && typeof value === 'string' && readDuration(other) === readDuration(value)
      );
    }
    return JSON.stringify(sorted(other)) === JSON.stringify(sorted(value));
  });
}
