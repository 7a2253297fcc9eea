/** What holds for a secret when its own settings and those of its engine are put together. */
import { defaultKeptVersions } from '@gatehouse/api-types/console/harm-of';
import { readDuration } from '@gatehouse/api-types/console/read-duration';
import type { SecretEngineFields } from '@gatehouse/api-types/console/secret-metadata';
import { durationInWords } from '#lib/duration.ts';

/** Who decides: the secret itself, its engine, or nobody, so that the server's default holds. */
export type Decider = 'secret' | 'engine' | 'default';

export interface EffectiveRules {
  readonly maxVersions: { readonly value: number; readonly by: Decider };
  readonly casRequired: { readonly value: boolean; readonly by: Decider };
  /** Seconds; 0 for never. */
  readonly deleteAfter: { readonly value: number; readonly by: Decider };
  /** Some servers keep the larger of both numbers where the secret asks for fewer versions than its engine. */
  readonly maxVersionsElsewhere: number | undefined;
}

/** The rules of a secret; of an engine without the first. A length of time that cannot be read counts as none. */
export function effectiveRules(
  own: SecretEngineFields | undefined,
  engine: SecretEngineFields,
): EffectiveRules {
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

/** `12, as the engine says`. */
export function maxVersionsInWords({ maxVersions, maxVersionsElsewhere }: EffectiveRules): string {
  const { value, by } = maxVersions;
  const words = `${value.toLocaleString('en')}, ${byWords[by]}`;
  return maxVersionsElsewhere === undefined
    ? words
    : `${words}; some servers keep the larger number: ${maxVersionsElsewhere.toLocaleString('en')}`;
}

/** `30 days after they are written, as the engine says`. */
export function deleteAfterInWords({ deleteAfter: { value, by } }: EffectiveRules): string {
  return value === 0 ? 'Never' : `${durationInWords(value)} after creation, ${byWords[by]}`;
}

/** `Yes, as the engine says`. */
export function casInWords({ casRequired: { value, by } }: EffectiveRules): string {
  return value ? `Yes, ${byWords[by]}` : 'No';
}
