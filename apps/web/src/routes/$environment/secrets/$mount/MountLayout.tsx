import { lazy } from '@gatehouse/ui/lazy';
import { Outlet } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useSecretPlace } from '../use-secret-place.ts';

const FolderTree = lazy(async () => ({ default: (await import('./after-list.ts')).FolderTree }));

/** An engine: the tree of its folders beside what is open. */
export function MountLayout() {
  const { environment, mount } = useSecretPlace();
  return (
    <div className="flex min-h-0 flex-1">
      <div className="hidden w-64 shrink-0 border-e border-line bg-surface wide:flex">
        <Suspense fallback={null}>
          <FolderTree key={`${environment}/${mount}`} />
        </Suspense>
      </div>
      <div className="flex min-w-0 flex-1 flex-col">
        <Outlet />
      </div>
    </div>
  );
}
