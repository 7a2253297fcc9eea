import { lazy } from '@gatehouse/ui/lazy';
import { Outlet } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useReplicas } from './use-replicas.ts';

// Few secrets servers are secondaries.
const SecondaryNotice = lazy(async () => ({
  default: (await import('./SecondaryNotice.tsx')).SecondaryNotice,
}));

/** Screens of a secrets server, which may be a secondary. */
export function ReplicatedLayout() {
  const { isSecondary, primary } = useReplicas();
  return (
    <>
      {isSecondary && (
        <Suspense fallback={null}>
          <SecondaryNotice primary={primary} />
        </Suspense>
      )}
      <Outlet />
    </>
  );
}
