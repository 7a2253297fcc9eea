import { lazy } from '@gatehouse/ui/lazy';
import { Outlet, useRouterState } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useIsUnversioned, useSecretPlace } from '../use-secret-place.ts';
import { NoVersions } from './NoVersions.tsx';

const FolderTree = lazy(async () => ({ default: (await import('./after-list.ts')).FolderTree }));

/** Screens that an engine without versions has nothing for. */
const needVersions = new Set(['edit', 'import', 'metadata', 'new', 'recycle-bin', 'settings']);

/** An engine: the tree of its folders beside what is open. */
export function MountLayout() {
  const { environment, mount } = useSecretPlace();
  const screen = useRouterState({ select: ({ location }) => location.pathname.split('/')[4] ?? '' });
  const needsVersions = needVersions.has(screen);
  const isUnversioned = useIsUnversioned(needsVersions);
  return (
    <div className="flex min-h-0 flex-1">
      <div className="hidden w-64 shrink-0 border-e border-line bg-surface wide:flex">
        <Suspense fallback={null}>
          <FolderTree key={`${environment}/${mount}`} />
        </Suspense>
      </div>
      <div className="flex min-w-0 flex-1 flex-col">
        {needsVersions && isUnversioned ? <NoVersions /> : <Outlet />}
      </div>
    </div>
  );
}
