import type { Target } from '@gatehouse/api-types/console/targets';
import { lazy } from '@gatehouse/ui/lazy';
import { Suspense, useMemo, type ReactNode } from 'react';
import { idOf } from '#components/list/row-id.ts';
import type { ChangeSearch } from '#components/list/use-search-state.ts';
import { useShortcut } from '#lib/shortcuts.ts';
import type { TargetListSearch } from './targets-search.ts';

const WhyNot = lazy(async () => ({ default: (await import('./-why-not/WhyNot.tsx')).WhyNot }));

/** *Why not?*: explains for any target why the list doesn't contain it, once the list is complete. @param rows what it shows */
export function useWhyNot(
  search: TargetListSearch,
  change: ChangeSearch<TargetListSearch>,
  rows: readonly Target[],
  isComplete: boolean,
): { readonly ask: () => void; readonly dialog: ReactNode } {
  const { why } = search;
  const choose = (next: true | string | undefined): void => {
    change({ why: next }, next === true);
  };
  const ask = (): void => {
    choose(true);
  };
  useShortcut({ keys: 'w', label: 'Why is a target missing?', group: 'Targets', run: ask });
  const isAsked = why !== undefined;
  const listed = useMemo(
    () => (isAsked && isComplete ? new Set(rows.map(idOf)) : undefined),
    [isAsked, rows, isComplete],
  );
  const dialog = isAsked && (
    <Suspense fallback={null}>
      <WhyNot
        search={search}
        listed={listed}
        id={why === true ? undefined : why}
        onChoose={choose}
        onClose={() => {
          choose(undefined);
        }}
      />
    </Suspense>
  );
  return { ask, dialog };
}
