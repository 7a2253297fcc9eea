/** Settings that an engine and each of its keys have. */
export interface KvSettings {
  /** Versions kept; 0 when not set. */
  readonly maxVersions: number;
  readonly casRequired: boolean;
  /** Seconds; 0 when not set; -1, of an engine alone, when no version is to be deleted by time. */
  readonly deleteVersionAfter: number;
}

/** What an engine begins with, and a key. */
export const noSettings: KvSettings = { maxVersions: 0, casRequired: false, deleteVersionAfter: 0 };

/** Versions kept where neither the key nor the engine says. */
const usualVersions = 10;

/** How many versions of a key are kept: its own setting, else the engine's, else 10. */
export function versionsKept(key: KvSettings, engine: KvSettings): number {
  return key.maxVersions || engine.maxVersions || usualVersions;
}

/** Whether a write must name the version that it replaces. */
export function casRequired(key: KvSettings, engine: KvSettings): boolean {
  return key.casRequired || engine.casRequired;
}

/**
 * When a version that is written (or undeleted) now is deleted: after the smaller of the times that are set.
 * @param now milliseconds since the epoch
 * @returns milliseconds since the epoch; null for never
 */
export function deletionTime(key: KvSettings, engine: KvSettings, now: number): number | null {
  if (engine.deleteVersionAfter < 0) return null;
  const times = [key.deleteVersionAfter, engine.deleteVersionAfter].filter((seconds) => seconds > 0);
  return times.length === 0 ? null : now + Math.min(...times) * 1000;
}
