import type { Body } from '../../core/body.ts';
import { booleanField, durationField, integerField } from '../../core/fields.ts';
import { badRequest } from '../../core/refusal.ts';
import type { KvSettings } from '../../domain/kv/settings.ts';

/** The maximum number of versions, because a secret's metadata lists all of them. */
const mostVersions = 10_000;

/**
 * Applies a body to settings; missing members stay the same.
 * @param signed whether `delete_version_after` can be negative to disable deletion, as for an engine
 * @throws Refusal 400
 */
export function settingsFields(body: Body, now: KvSettings, signed: boolean): KvSettings {
  const maxVersions = integerField(body, 'max_versions') ?? now.maxVersions;
  if (maxVersions < 0 || maxVersions > mostVersions) {
    throw badRequest(`max_versions must be between 0 and ${mostVersions}`);
  }
  const deleteVersionAfter = durationField(body, 'delete_version_after') ?? now.deleteVersionAfter;
  if (deleteVersionAfter < 0 && !signed) throw badRequest('delete_version_after must not be negative');
  return {
    maxVersions,
    casRequired: booleanField(body, 'cas_required') ?? now.casRequired,
    deleteVersionAfter: Math.max(deleteVersionAfter, -1),
  };
}
