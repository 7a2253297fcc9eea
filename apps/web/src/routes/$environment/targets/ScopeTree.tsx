import type { Scope } from '@gatehouse/api-types/console/scopes';
import { ScopeIcon } from '@gatehouse/ui/icon';
import { SkeletonList } from '@gatehouse/ui/skeleton';
import { Switch } from '@gatehouse/ui/switch';
import { TreeView, type TreeNode } from '@gatehouse/ui/tree-view';
import { useMemo, useState } from 'react';
import { scopeName } from '#components/targets/scope-name.ts';
import { globalScope } from '#queries/global-scope.ts';

export interface ScopeTreeProps {
  scopes: readonly Scope[] | undefined;
  /** The scopes couldn't be loaded. */
  isFailed: boolean;
  scope: string;
  recursive: boolean;
  onScope: (scope: string) => void;
  onRecursive: (recursive: boolean) => void;
}

/** Chooses the list's scope, and whether it includes the scopes below. */
export function ScopeTree({ scopes, isFailed, scope, recursive, onScope, onRecursive }: ScopeTreeProps) {
  const nodes = useMemo(() => treeOf(scopes ?? [], ''), [scopes]);
  const [closed, setClosed] = useState<readonly string[]>([]);
  const parents = (scopes ?? []).filter(({ type }) => type !== 'project').map(({ id }) => id);
  const isProject = scope.startsWith('p_');
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col">
      <div className="flex h-9 shrink-0 items-center border-b border-line px-4">
        <h2 className="font-mono text-caps font-normal text-ink-2 uppercase">Scope</h2>
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto p-2">
        {scopes === undefined && isFailed ? (
          <p className="px-2 py-1 text-ink-2">The scopes couldn't be loaded.</p>
        ) : scopes === undefined ? (
          <SkeletonList label="Loading scopes" lines={4} />
        ) : (
          <TreeView
            label="Scopes"
            nodes={nodes}
            selected={scope}
            onSelect={onScope}
            expanded={parents.filter((id) => !closed.includes(id))}
            onExpandedChange={(expanded) => {
              setClosed(parents.filter((id) => !expanded.includes(id)));
            }}
          />
        )}
      </div>
      <div className="shrink-0 border-t border-line px-4 py-3">
        <Switch
          isSelected={recursive || isProject}
          onChange={onRecursive}
          disabledReason={isProject ? 'A project contains no other scopes.' : undefined}
        >
          Include scopes below
        </Switch>
      </div>
    </div>
  );
}

function treeOf(scopes: readonly Scope[], parent: string): readonly TreeNode[] {
  return scopes
    .filter((scope) => scope.parent_scope_id === parent && (parent !== '' || scope.id === globalScope))
    .toSorted((a, b) => scopeName(a).localeCompare(scopeName(b), 'en', { numeric: true }))
    .map((scope) => {
      const children = treeOf(scopes, scope.id);
      return {
        id: scope.id,
        label: scopeName(scope),
        icon: ScopeIcon,
        ...(children.length > 0 && { children }),
      };
    });
}
