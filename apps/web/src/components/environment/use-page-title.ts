import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { showEnvironment } from '#lib/document-head.ts';
import { noteRecentPlace } from '#lib/recent-places.ts';
import { useEnvironment } from './use-environment.ts';

/** Sets the tab's title, with the environment, and records the page among the recent places. */
export function usePageTitle(title: string): void {
  const environment = useEnvironment();
  const router = useRouter();
  useEffect(() => {
    showEnvironment(title, environment);
    noteRecentPlace(router.latestLocation.href, title);
  }, [title, environment, router]);
}
