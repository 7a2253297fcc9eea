import { MenuButton } from '@gatehouse/ui/menu';
import { Pencil, Trash2 } from 'lucide-react';

/** A field's further actions in the form. */
export function FieldMenu({
  label,
  canRename,
  onRename,
  onRemove,
}: {
  label: string;
  canRename: boolean;
  onRename: () => void;
  onRemove: () => void;
}) {
  return (
    <MenuButton
      isOverflow
      label={`More actions for ${label}`}
      placement="bottom end"
      items={[
        {
          id: 'rename',
          label: 'Rename',
          icon: Pencil,
          disabledReason: canRename
            ? undefined
            : "You can't see the value, so it can't be moved to another name.",
          onAction: onRename,
        },
        { id: 'remove', label: 'Remove', icon: Trash2, isDanger: true, onAction: onRemove },
      ]}
    />
  );
}
