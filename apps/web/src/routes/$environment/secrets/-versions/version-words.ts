/** Versions of a secret in words. */
import type { VersionState } from '@gatehouse/api-types/console/secrets';
import type { Tone } from '@gatehouse/ui/tone';

export const versionStateWords: Readonly<Record<VersionState, { word: string; tone: Tone | 'neutral' }>> = {
  readable: { word: 'Readable', tone: 'ok' },
  scheduled: { word: 'To be deleted', tone: 'warn' },
  deleted: { word: 'Deleted', tone: 'neutral' },
  destroyed: { word: 'Destroyed', tone: 'danger' },
};

/** Versions whose values can be read. */
export function isReadable({ state }: { readonly state: VersionState }): boolean {
  return state === 'readable' || state === 'scheduled';
}

/** `version 3`, `versions 3 and 7`, `versions 1 to 4, 6 and 9`; lower numbers first. */
export function versionsInWords(versions: readonly number[]): string {
  const runs: { from: number; to: number }[] = [];
  for (const version of [...new Set(versions)].toSorted((a, b) => a - b)) {
    const last = runs.at(-1);
    if (last?.to === version - 1) last.to = version;
    else runs.push({ from: version, to: version });
  }
  const parts = runs.flatMap(({ from, to }) =>
    to - from < 2
      ? Array.from({ length: to - from + 1 }, (_, index) => String(from + index))
      : [`${String(from)} to ${String(to)}`],
  );
  const end = parts.pop() ?? '';
  const isOne = parts.length === 0 && /^\d+$/.test(end);
  return `${isOne ? 'version' : 'versions'} ${parts.length === 0 ? end : `${parts.join(', ')} and ${end}`}`;
}

/** `1 version`, `12 versions`. */
export function countVersions(count: number): string {
  return count === 1 ? '1 version' : `${count.toLocaleString('en')} versions`;
}
