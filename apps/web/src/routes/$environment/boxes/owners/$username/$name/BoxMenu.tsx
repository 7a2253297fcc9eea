import { MenuButton } from '@gatehouse/ui/menu';
import { toasts } from '@gatehouse/ui/toast';
import { Copy, PackagePlus, Trash2 } from 'lucide-react';
import { newVersionHref } from '#components/places/boxes.ts';
import type { BoxPlace } from '#queries/boxes.ts';

/** What else can be done with a box. */
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
          label: 'New version, step by step',
          icon: PackagePlus,
          disabledReason: cannotChange,
          href: newVersionHref(place),
        },
        {
          id: 'copy',
          label: 'Copy name',
          icon: Copy,
          onAction: () => {
            navigator.clipboard.writeText(tag).then(
              () => {
                toasts.ok({ title: 'Name copied' });
              },
              () => {
                toasts.danger({
                  title: 'Could not copy',
                  detail: 'The browser does not let this page use the clipboard.',
                });
              },
            );
          },
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
