import type { GridView } from '@gatehouse/ui/data-grid';
import * as z from 'zod/mini';
import { usePreference } from '#queries/preferences.ts';

const gridView = z.object({
  hidden: z.array(z.string()),
  widths: z.record(z.string(), z.number()),
  pinned: z.object({ start: z.array(z.string()), end: z.array(z.string()) }),
  density: z.union([z.literal(28), z.literal(32), z.literal(40)]),
});

/** How this person arranged the columns of a list, kept on the server. */
export function useGridView(list: string, fallback: GridView): [GridView, (view: GridView) => void] {
  const [view, setView] = usePreference(`grid.${list}`, gridView, {
    hidden: [...fallback.hidden],
    widths: { ...fallback.widths },
    pinned: { start: [...fallback.pinned.start], end: [...fallback.pinned.end] },
    density: fallback.density,
  });
  return [
    view,
    ({ hidden, widths, pinned, density }) => {
      setView({
        hidden: [...hidden],
        widths: { ...widths },
        pinned: { start: [...pinned.start], end: [...pinned.end] },
        density,
      });
    },
  ];
}
