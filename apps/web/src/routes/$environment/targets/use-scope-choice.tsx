import { afterPaint } from '@gatehouse/ui/after-paint';
import { ScopeIcon } from '@gatehouse/ui/icon';
import { IconButton } from '@gatehouse/ui/icon-button';
import { lazy } from '@gatehouse/ui/lazy';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useState, type ReactNode } from 'react';
import type { ChangeSearch } from '#components/list/use-search-state.ts';
import { scopeName } from '#components/targets/scope-name.ts';
import { scopesQuery } from '#queries/access.ts';
import { globalScope } from '#queries/global-scope.ts';
import type { TargetsSearch } from './targets-search.ts';

// Loaded after the list is painted, or on a narrow screen when it opens.
const ScopeTree = lazy(async () => {
  await afterPaint();
  return { default: (await import('./ScopeTree.tsx')).ScopeTree };
});
const ScopeDrawer = lazy(async () => ({ default: (await import('./ScopeDrawer.tsx')).ScopeDrawer }));

/** Chooses the scope of the list: beside it, or in a drawer on narrow screens. */
export function useScopeChoice(
  environment: string,
  search: TargetsSearch,
  change: ChangeSearch<TargetsSearch>,
  onChosen: () => void,
): Readonly<Record<'beside' | 'button' | 'drawer', ReactNode>> & {
  /** Of the chosen scope; undefined if all are listed. */
  readonly name: string | undefined;
} {
  const scopes = useQuery(scopesQuery(environment));
  const [isOpen, setOpen] = useState(false);
  const { scope = globalScope, recursive = true } = search;
  const here = scopes.data?.find(({ id }) => id === scope);
  const tree = (
    <Suspense fallback={null}>
      <ScopeTree
        scopes={scopes.data}
        isFailed={scopes.isError}
        scope={scope}
        recursive={recursive}
        onScope={(id) => {
          onChosen();
          setOpen(false);
          change({ scope: id, recursive: undefined }, true);
        }}
        onRecursive={(isOn) => {
          change({ recursive: isOn ? undefined : false });
        }}
      />
    </Suspense>
  );
  return {
    name: search.scope === undefined ? undefined : here ? scopeName(here) : scope,
    beside: <div className="hidden w-60 shrink-0 border-e border-line bg-surface wide:flex">{tree}</div>,
    button: (
      <div className="flex shrink-0 wide:hidden">
        <IconButton
          icon={ScopeIcon}
          label={`Scope: ${here ? scopeName(here) : scope}`}
          variant="secondary"
          onPress={() => {
            setOpen(true);
          }}
        />
      </div>
    ),
    drawer: isOpen && (
      <Suspense fallback={null}>
        <ScopeDrawer
          onClose={() => {
            setOpen(false);
          }}
        >
          {tree}
        </ScopeDrawer>
      </Suspense>
    ),
  };
}
