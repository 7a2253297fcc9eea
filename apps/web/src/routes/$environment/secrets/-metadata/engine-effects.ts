/** What a change of an engine's settings does to the secrets in it, in sentences. */
import { readDuration } from '@gatehouse/api-types/console/read-duration';
import type { SecretEngineFields } from '@gatehouse/api-types/console/secret-metadata';
import { durationInWords } from '#lib/duration.ts';
import { effectiveRules } from './effective-rules.ts';

/** Empty where nothing changes for anybody. */
export function engineEffects(before: SecretEngineFields, after: SecretEngineFields): readonly string[] {
  const effects: string[] = [];
  const [old, next] = [effectiveRules(undefined, before), effectiveRules(undefined, after)];
  const [kept, keeps] = [old.maxVersions.value, next.maxVersions.value];
  if (keeps < kept) {
    effects.push(
      `Secrets without a number of their own keep ${keeps.toLocaleString('en')} versions instead of ${kept.toLocaleString('en')}: each of them loses its oldest versions permanently with its next write.`,
    );
  }
  if (keeps > kept) {
    effects.push(
      `Secrets without a number of their own keep up to ${keeps.toLocaleString('en')} versions from now on. What was pruned does not come back.`,
    );
  }
  if (!before.cas_required && after.cas_required) {
    effects.push(
      'Every write has to name the version that it follows on: programs that do not are refused from now on. This console always does.',
    );
  }
  if (before.cas_required && !after.cas_required) {
    effects.push(
      'Programs may write without naming a version, and so cover what others wrote. Secrets that require it themselves still do.',
    );
  }
  const [was, is] = [readDuration(before.delete_version_after), readDuration(after.delete_version_after)];
  if (is !== undefined && is !== (was ?? 0)) {
    effects.push(
      is === 0
        ? 'New versions are not deleted by themselves any more, except where a secret says so. Versions that are there keep their time.'
        : `New versions are deleted ${durationInWords(is)} after they are written, sooner where a secret says so. Versions that are there keep their time.`,
    );
  }
  return effects;
}
