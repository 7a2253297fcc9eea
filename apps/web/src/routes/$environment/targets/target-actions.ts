import type { Target } from '@gatehouse/api-types/console/targets';
import type { MenuEntry } from '@gatehouse/ui/menu';
import { Copy, CopyPlus, Eye, PencilLine, Plug, Trash2 } from 'lucide-react';
import type { Errand } from '#components/record/use-errand.ts';
import { copyText } from '#lib/copy-text.ts';
import { reasonAgainst } from './may.ts';

interface Ways {
  /** Why no target can be created; undefined if it can. */
  cannotCreate: string | undefined;
  go: (path: '/$environment/targets/$id' | '/$environment/targets/$id/edit', errand?: Errand) => void;
  clone: () => void;
  remove: () => void;
}

/** The actions on one target, with reasons against those that aren't possible. */
export function targetActions(
  target: Target,
  { cannotCreate, go, clone, remove }: Ways,
): readonly MenuEntry[] {
  return [
    {
      id: 'open',
      label: 'Open',
      icon: Eye,
      onAction: () => {
        go('/$environment/targets/$id');
      },
    },
    {
      id: 'authorize',
      label: 'Authorize session',
      icon: Plug,
      disabledReason: reasonAgainst(target, 'authorize-session'),
      onAction: () => {
        go('/$environment/targets/$id', 'authorize');
      },
    },
    {
      id: 'edit',
      label: 'Edit',
      icon: PencilLine,
      disabledReason: reasonAgainst(target, 'update'),
      onAction: () => {
        go('/$environment/targets/$id/edit');
      },
    },
    { id: 'clone', label: 'Clone', icon: CopyPlus, disabledReason: cannotCreate, onAction: clone },
    'separator',
    { id: 'copy-id', label: 'Copy ID', icon: Copy, onAction: () => void copyText(target.id, 'ID') },
    {
      id: 'copy-address',
      label: 'Copy address',
      icon: Copy,
      disabledReason: target.address === '' ? 'This target has no address.' : undefined,
      onAction: () => void copyText(target.address, 'Address'),
    },
    'separator',
    {
      id: 'delete',
      label: 'Delete',
      icon: Trash2,
      isDanger: true,
      disabledReason: reasonAgainst(target, 'delete'),
      onAction: remove,
    },
  ];
}
