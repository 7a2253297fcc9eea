import { useEffect } from 'react';
import { showEnvironment } from '../../lib/document-head.ts';
import { useEnvironment } from './use-environment.ts';

/** Puts the name of the page into the tab's title, with the environment. */
export function usePageTitle(title: string): void {
  const environment = useEnvironment();
  useEffect(() => {
    showEnvironment(title, environment);
  }, [title, environment]);
}
