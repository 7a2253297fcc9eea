/** The settings that an engine and each of its secrets have. */
export interface KvSettings {
  /** The number of versions to keep; 0 if not set. */
  readonly maxVersions: number;
  readonly casRequired: boolean;
  /** In seconds; 0 if not set; -1, only in an engine, disables scheduled deletion. */
  readonly deleteVersionAfter: number;
}

/** The initial settings of an engine and of a secret. */
export const noSettings: KvSettings = { maxVersions: 0, casRequired: false, deleteVersionAfter: 0 };

/** The default number of versions to keep. */
const usualVersions = 10;

/** The number of versions to keep: the secret's setting, else the engine's, else the default. */
export function versionsKept(key: KvSettings, engine: KvSettings): number {
  return key.maxVersions || engine.maxVersions || usualVersions;
}

/** Whether writes require check-and-set. */
export function casRequired(key: KvSettings, engine: KvSettings): boolean {
  return key.casRequired || engine.casRequired;
}

/**
 * When a version that is written or undeleted now is deleted, by the shorter of the times set.
 * @param now milliseconds since the epoch
 * @returns milliseconds since the epoch; null for never
 */
export function deletionTime(key: KvSettings, engine: KvSettings, now: number): number | null {
  if (engine.deleteVersionAfter < 0) return null;
  const times = [key.deleteVersionAfter, engine.deleteVersionAfter].filter((seconds) => seconds > 0);
  return times.length === 0 ? null : now + Math.min(...times) * 1000;
}
