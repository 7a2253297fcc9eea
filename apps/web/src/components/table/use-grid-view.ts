import type { GridView } from '@gatehouse/ui/data-grid';
import { usePreference } from '#queries/preferences.ts';

/** The user's arrangement of a list's columns, stored on the server. */
export function useGridView(list: string, fallback: GridView): [GridView, (view: GridView) => void] {
  return usePreference(`grid.${list}`, isGridView, fallback);
}

/** Whether a stored value is a valid arrangement. Uses no library, because every list loads it. */
export function isGridView(stored: unknown): stored is GridView {
  if (!isObject(stored) || !isObject(stored['widths']) || !isObject(stored['pinned'])) return false;
  const { hidden, widths, pinned, density } = stored;
  return (
    [hidden, pinned['start'], pinned['end']].every(areTexts) &&
    Object.values(widths).every((width) => Number.isFinite(width)) &&
    (density === 28 || density === 32 || density === 40)
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function areTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
