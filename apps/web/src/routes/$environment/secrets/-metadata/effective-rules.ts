/** The rules that result from the settings of a secret and its engine. */
import { defaultKeptVersions } from '@gatehouse/api-types/console/harm-of';
import { readDuration } from '@gatehouse/api-types/console/read-duration';
import type { SecretRules } from '@gatehouse/api-types/console/secret-metadata';
import { durationInWords } from '#lib/duration.ts';

/** Whose setting applies: the secret's, its engine's, or the server's default. */
export type Decider = 'secret' | 'engine' | 'default';

export interface EffectiveRules {
  readonly maxVersions: { readonly value: number; readonly by: Decider };
  readonly casRequired: { readonly value: boolean; readonly by: Decider };
  /** Seconds; 0 for never. */
  readonly deleteAfter: { readonly value: number; readonly by: Decider };
  /** Some servers keep the larger number if the secret's is smaller than its engine's. */
  readonly maxVersionsElsewhere: number | undefined;
}

/** A secret's effective rules; without `own`, the engine's. An invalid duration counts as none. */
export function effectiveRules(own: SecretRules | undefined, engine: SecretRules): EffectiveRules {
  const [mine, theirs] = [own?.max_versions ?? 0, engine.max_versions];
  const maxVersions =
    mine > 0
      ? ({ value: mine, by: 'secret' } as const)
      : theirs > 0
        ? ({ value: theirs, by: 'engine' } as const)
        : ({ value: defaultKeptVersions, by: 'default' } as const);
  const [after, engineAfter] = [
    readDuration(own?.delete_version_after ?? '') ?? 0,
    readDuration(engine.delete_version_after) ?? 0,
  ];
  const deleteAfter =
    after > 0 && (engineAfter === 0 || after <= engineAfter)
      ? ({ value: after, by: 'secret' } as const)
      : engineAfter > 0
        ? ({ value: engineAfter, by: 'engine' } as const)
        : ({ value: 0, by: 'default' } as const);
  const casRequired =
    own?.cas_required === true
      ? ({ value: true, by: 'secret' } as const)
      : engine.cas_required
        ? ({ value: true, by: 'engine' } as const)
        : ({ value: false, by: 'default' } as const);
  return {
    maxVersions,
    casRequired,
    deleteAfter,
    maxVersionsElsewhere: mine > 0 && theirs > mine ? theirs : undefined,
  };
}

const byWords: Readonly<Record<Decider, string>> = {
  secret: 'set on this secret',
  engine: 'set on the engine',
  default: 'server default',
};

/** `12, set on the engine`. */
export function maxVersionsInWords({ maxVersions, maxVersionsElsewhere }: EffectiveRules): string {
  const { value, by } = maxVersions;
  const words = `${value.toLocaleString('en')}, ${byWords[by]}`;
  return maxVersionsElsewhere === undefined
    ? words
    : `${words}; some servers keep the larger number: ${maxVersionsElsewhere.toLocaleString('en')}`;
}

/** `30 days after creation, set on the engine`. */
export function deleteAfterInWords({ deleteAfter: { value, by } }: EffectiveRules): string {
  return value === 0 ? 'Never' : `${durationInWords(value)} after creation, ${byWords[by]}`;
}

/** `Yes, set on the engine`. */
export function casInWords({ casRequired: { value, by } }: EffectiveRules): string {
  return value ? `Yes, ${byWords[by]}` : 'No';
}
