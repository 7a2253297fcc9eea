/** Describes what a change of an engine's settings does to its secrets. */
import { readDuration } from '@gatehouse/api-types/console/read-duration';
import type { SecretRules } from '@gatehouse/api-types/console/secret-metadata';
import { durationInWords } from '#lib/duration.ts';
import { effectiveRules } from './effective-rules.ts';

/** Empty if nothing changes. */
export function engineEffects(before: SecretRules, after: SecretRules): readonly string[] {
  const effects: string[] = [];
  const [old, next] = [effectiveRules(undefined, before), effectiveRules(undefined, after)];
  const [kept, keeps] = [old.maxVersions.value, next.maxVersions.value];
  if (keeps < kept) {
    effects.push(
      `Secrets without their own setting keep ${keeps.toLocaleString('en')} versions instead of ${kept.toLocaleString('en')}. Each loses its oldest versions permanently at its next write.`,
    );
  }
  if (keeps > kept) {
    effects.push(
      `Secrets without their own setting keep up to ${keeps.toLocaleString('en')} versions. Versions already lost to the old limit can't be recovered.`,
    );
  }
  if (!before.cas_required && after.cas_required) {
    effects.push(
      'Every write must include the version it is based on. Writes without that version are refused. This console always includes it.',
    );
  }
  if (before.cas_required && !after.cas_required) {
    effects.push(
      'Programs can write without a version, which can overwrite changes by others. Secrets that require check-and-set themselves still do.',
    );
  }
  const [was, is] = [readDuration(before.delete_version_after), readDuration(after.delete_version_after)];
  if (is !== undefined && is !== (was ?? 0)) {
    effects.push(
      is === 0
        ? 'New versions are no longer deleted automatically, unless a secret has its own setting. Existing versions keep their deletion time.'
        : `New versions are deleted ${durationInWords(is)} after creation, or sooner if a secret has a shorter setting. Existing versions keep their deletion time.`,
    );
  }
  return effects;
}
