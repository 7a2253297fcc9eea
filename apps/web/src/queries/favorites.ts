/** The records that a user wants to find again, in the palette and on the Overview. */
import { useRouterState } from '@tanstack/react-router';
import { pathOf } from '#lib/recent-places.ts';
import { usePreference } from './preferences.ts';

export interface Favorite {
  /** Its page, without a query. */
  readonly href: string;
  /** Its name when it was added. */
  readonly title: string;
}

/** A preference can have 16 KiB. */
const most = 40;
const none: readonly Favorite[] = [];

function isFavorites(stored: unknown): stored is readonly Favorite[] {
  return (
    Array.isArray(stored) &&
    stored.every((one: Partial<Record<keyof Favorite, unknown>> | null) => {
      const { href, title } = one ?? {};
      return typeof title === 'string' && typeof href === 'string' && /^\/(?!\/)/.test(href);
    })
  );
}

/** The user's favorites in all environments, the newest first, and their setter. */
export const useFavorites = () => usePreference<readonly Favorite[]>('favorites', isFavorites, none);

/** Whether the page's record is a favorite, and the change of that. */
export function useFavorite(title: string): {
  readonly isFavorite: boolean;
  readonly toggle: () => void;
  /** Why it can't be added. */
  readonly disabledReason: string | undefined;
} {
  const href = useRouterState({ select: ({ location }) => pathOf(location.href) });
  const [favorites, setFavorites] = useFavorites();
  const others = favorites.filter((one) => one.href !== href);
  const isFavorite = others.length < favorites.length;
  return {
    isFavorite,
    toggle: () => {
      setFavorites(isFavorite ? others : [{ href, title: title.slice(0, 100) }, ...others]);
    },
    disabledReason:
      isFavorite || favorites.length < most
        ? undefined
        : `You can have ${most} favorites. Remove one on the Overview first.`,
  };
}
