import type { Body } from '../../core/body.ts';
import { mapField } from '../../core/fields.ts';
import { badRequest } from '../../core/refusal.ts';

/**
 * The version that a write expects to replace, from `options.cas`; undefined without check-and-set.
 * @throws Refusal 400
 */
export function expectedVersion(body: Body): number | undefined {
  const cas = mapField(body, 'options')?.['cas'] ?? undefined;
  const version = typeof cas === 'string' && /^[+-]?\d+$/.test(cas) ? Number(cas) : cas;
  if (version === undefined) return undefined;
  if (typeof version !== 'number' || !Number.isSafeInteger(version)) {
    throw badRequest('error parsing check-and-set parameter');
  }
  return version;
}

/**
 * Refuses a write that expects a version other than the current one, or that lacks a required check-and-set.
 * @param current 0 if the secret does not exist
 * @throws Refusal 400
 */
export function checkAndSet(expected: number | undefined, current: number, required: boolean): void {
  if (expected === undefined) {
    if (required) throw badRequest('check-and-set parameter required for this call');
    return;
  }
  if (expected !== current) {
    throw badRequest('check-and-set parameter did not match the current version');
  }
}
