import type { ChangedValue } from '@gatehouse/api-types/console/activity';
import { secretMembers } from '@gatehouse/api-types/console/secret-members';
import { isJsonObject } from '@gatehouse/service-kit/parse-json';
import { SealBroken } from '@gatehouse/service-kit/secret-box';
import type { TokenSeal } from '#session/token-seal.ts';

/** How long values are kept, in milliseconds. */
export const valuesKeptForMs = 90 * 24 * 3_600_000;

/**
 * The changes whose values are kept, beside the trail and encrypted. Not those of records that hold secrets, custom
 * metadata, policies or attributes of credentials.
 */
const kept: ReadonlySet<string> = new Set(
  [
    'target',
    'host-catalog',
    'host-set',
    'host',
    'person',
    'organization',
    'box',
    'box-version',
    'box-provider',
  ].map((kind) => `${kind}.update`),
);
const mostValues = 100;
const longestValue = 1_000;
/** The characters shown before the first difference of long texts. */
const lengthBefore = 100;

/**
 * The values of changed fields, before and after.
 * @param action the name in the audit trail
 * @param paths the fields that the request set
 */
export function changedValues(
  action: string,
  paths: readonly string[],
  before: unknown,
  after: unknown,
): readonly ChangedValue[] {
  if (!kept.has(action)) return [];
  return (
    paths
      .slice(0, mostValues)
      // A path such as `disabled=true` names the new value itself.
      .map((path) => path.split('=', 1)[0] ?? path)
      .filter((path) => !path.split('.').some((name) => secretMembers.has(name)))
      .map((path) => ({ path, before: textAt(before, path), after: textAt(after, path) }))
      .filter((value) => value.before !== value.after)
      .map(cut)
  );
}

/** @param intent the sequence of the change's first row, to which the values are bound */
export function sealValues(seal: TokenSeal, intent: number, values: readonly ChangedValue[]): string {
  return seal.seal(JSON.stringify(values), placeOf(intent));
}

/** @returns undefined if the text was changed, belongs to another change, or its key is gone */
export function openValues(seal: TokenSeal, intent: number, sealed: string): ChangedValue[] | undefined {
  try {
    return JSON.parse(seal.open(sealed, placeOf(intent))) as ChangedValue[];
  } catch (error) {
    if (error instanceof SealBroken) return undefined;
    throw error;
  }
}

function placeOf(intent: number) {
  return { sessionId: String(intent), environment: '', service: 'audit-values' };
}

function textAt(record: unknown, path: string): string | null {
  const value = path
    .split('.')
    .reduce<unknown>((inner, name) => (isJsonObject(inner) ? inner[name] : undefined), record);
  if (value === undefined || value === null) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Cuts long texts where they begin to differ. */
function cut({ path, before, after }: ChangedValue): ChangedValue {
  if (Math.max(before?.length ?? 0, after?.length ?? 0) <= longestValue) return { path, before, after };
  let same = 0;
  while (same < (before?.length ?? 0) && before?.[same] === after?.[same]) same += 1;
  const start = same <= longestValue - lengthBefore ? 0 : same - lengthBefore;
  const part = (text: string | null): string | null =>
    text === null
      ? null
      : `${start > 0 ? '…' : ''}${text.slice(start, start + longestValue)}${text.length > start + longestValue ? '…' : ''}`;
  return { path, before: part(before), after: part(after) };
}
