import { MenuButton } from '@gatehouse/ui/menu';
import { Copy, PackagePlus, Trash2 } from 'lucide-react';
import { newVersionHref } from '#components/places/boxes.ts';
import { copyText } from '#lib/copy-text.ts';
import type { BoxPlace } from '#queries/boxes.ts';

/** More actions on a box. */
export function BoxMenu({
  place,
  cannotChange,
  onDelete,
}: {
  place: BoxPlace;
  cannotChange: string | undefined;
  onDelete: () => void;
}) {
  const tag = `${place.username}/${place.name}`;
  return (
    <MenuButton
      label={`More actions for ${tag}`}
      isOverflow
      size={28}
      placement="bottom end"
      items={[
        {
          id: 'new-version',
          label: 'New version without images',
          icon: PackagePlus,
          disabledReason: cannotChange,
          href: newVersionHref(place),
        },
        {
          id: 'copy',
          label: 'Copy name',
          icon: Copy,
          onAction: () => void copyText(tag, 'Name'),
        },
        'separator',
        {
          id: 'delete',
          label: 'Delete',
          icon: Trash2,
          isDanger: true,
          disabledReason: cannotChange,
          onAction: onDelete,
        },
      ]}
    />
  );
}
