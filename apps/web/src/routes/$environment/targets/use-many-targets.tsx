import type { Environment } from '@gatehouse/api-types/console/session';
import type { Target } from '@gatehouse/api-types/console/targets';
import { Button } from '@gatehouse/ui/button';
import { emptyGridSelection, type GridSelection } from '@gatehouse/ui/data-grid';
import { lazy } from '@gatehouse/ui/lazy';
import { PencilLine, Trash2 } from 'lucide-react';
import { Suspense, useMemo, useState } from 'react';
import { reasonAgainst } from './may.ts';

// Loaded before they are used.
const DeleteTargets = lazy(async () => ({ default: (await import('./DeleteTargets.tsx')).DeleteTargets }));
const BulkEditTargets = lazy(async () => ({
  default: (await import('./-bulk-edit/BulkEditTargets.tsx')).BulkEditTargets,
}));

/** The selected targets, and the actions on many at once. */
export function useManyTargets(environment: Environment, items: readonly Target[]) {
  const [selection, setSelection] = useState<GridSelection>(emptyGridSelection);
  const [deleting, setDeleting] = useState<readonly Target[]>();
  const [editing, setEditing] = useState<readonly Target[]>();
  const selected = useMemo(
    () => (selection.kind === 'rows' ? items.filter(({ id }) => selection.ids.has(id)) : items),
    [selection, items],
  );
  const reasons = (action: 'update' | 'delete') => selected.map((target) => reasonAgainst(target, action));
  // If some can be edited, the review says why the others can't.
  const cannotEdit = reasons('update').includes(undefined) ? undefined : reasons('update').find(Boolean);
  const deselect = (ids: readonly string[]): void => {
    if (ids.length > 0 && selection.kind === 'rows')
      setSelection({ kind: 'rows', ids: selection.ids.difference(new Set(ids)) });
  };
  return {
    selection,
    setSelection,
    clear: (): void => {
      setSelection(emptyGridSelection);
    },
    remove: setDeleting,
    bulkActions: (
      <>
        <Button
          size={28}
          icon={PencilLine}
          disabledReason={cannotEdit}
          onPress={() => {
            setEditing(selected);
          }}
        >
          Edit
        </Button>
        <Button
          size={28}
          icon={Trash2}
          disabledReason={reasons('delete').find(Boolean)}
          onPress={() => {
            setDeleting(selected);
          }}
        >
          Delete
        </Button>
      </>
    ),
    dialogs: (
      <Suspense fallback={null}>
        {editing && (
          <BulkEditTargets
            environment={environment}
            targets={editing}
            onClose={(saved) => {
              setEditing(undefined);
              deselect(saved);
            }}
          />
        )}
        {deleting && (
          <DeleteTargets
            environment={environment}
            targets={deleting}
            onClose={(gone) => {
              setDeleting(undefined);
              deselect(gone);
            }}
          />
        )}
      </Suspense>
    ),
  };
}
