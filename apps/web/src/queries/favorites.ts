/** The records that a user wants to find again, in the palette and on the Overview. */
import { preferenceLimitBytes } from '@gatehouse/api-types/console/addresses/preferences';
import { useRouterState } from '@tanstack/react-router';
import { useEffect } from 'react';
import { forgetRecentPlace, pathOf } from '#lib/recent-places.ts';
import { arePlaces, usePreference } from './preferences.ts';

export interface Favorite {
  /** Its page, without a query. */
  readonly href: string;
  /** Its name when its page was last opened. */
  readonly title: string;
  /** Whether its page was last opened in vain. */
  readonly isGone?: boolean;
}

const most = 40;
const none: readonly Favorite[] = [];

const isFavorites = (stored: unknown): stored is readonly Favorite[] => arePlaces(stored, 'title');

/** The user's favorites in all environments, the newest first, and their setter. */
export const useFavorites = () => usePreference<readonly Favorite[]>('favorites', isFavorites, none);

const fits = (favorites: readonly Favorite[]): boolean =>
  new TextEncoder().encode(JSON.stringify(favorites)).length <= preferenceLimitBytes;

/** Whether the page's record is a favorite, and the change of that. Its title follows the record's name. */
export function useFavorite(name: string): {
  readonly isFavorite: boolean;
  readonly toggle: () => void;
  /** Why it can't be added. */
  readonly disabledReason: string | undefined;
} {
  const href = useRouterState({ select: ({ location }) => pathOf(location.href) });
  // During a navigation, the record shown is still that of the page before.
  const isShown = useRouterState({
    select: ({ location, resolvedLocation }) => location.href === resolvedLocation?.href,
  });
  const [favorites, setFavorites] = useFavorites();
  const title = name.slice(0, 100);
  const others = favorites.filter((one) => one.href !== href);
  const isFavorite = others.length < favorites.length;
  const added = [{ href, title }, ...others];
  const isRenamed =
    isShown && favorites.some((one) => one.href === href && (one.title !== title || one.isGone === true));
  useEffect(() => {
    if (!isRenamed) return;
    const renamed = favorites.map((one) => (one.href === href ? { href, title } : one));
    if (fits(renamed)) setFavorites(renamed);
  }, [isRenamed, favorites, href, title, setFavorites]);
  return {
    isFavorite,
    toggle: () => {
      setFavorites(isFavorite ? others : added);
    },
    disabledReason:
      isFavorite || (favorites.length < most && fits(added))
        ? undefined
        : `You can have ${most} favorites, fewer with long paths. Remove one on the Overview first.`,
  };
}

/**
 * On the page of a record that isn't found: marks it among the favorites and forgets it among the recent places.
 * Returns how to remove it from the favorites; undefined if it isn't one.
 */
export function useGoneFavorite(): (() => void) | undefined {
  const href = useRouterState({ select: ({ location }) => pathOf(location.href) });
  const [favorites, setFavorites] = useFavorites();
  const favorite = favorites.find((one) => one.href === href);
  const isUnmarked = favorite !== undefined && favorite.isGone !== true;
  useEffect(() => {
    forgetRecentPlace(href);
    if (!isUnmarked) return;
    const marked = favorites.map((one) => (one.href === href ? { ...one, isGone: true } : one));
    if (fits(marked)) setFavorites(marked);
  }, [isUnmarked, favorites, href, setFavorites]);
  return (
    favorite &&
    (() => {
      setFavorites(favorites.filter((one) => one !== favorite));
    })
  );
}
