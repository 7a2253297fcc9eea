import { MenuButton } from '@gatehouse/ui/menu';
import { Database } from 'lucide-react';
import { useState } from 'react';
import { newSecretHref } from '#components/places/secrets.ts';
import { useShortcut } from '#lib/shortcuts.ts';
import type { SecretPlace } from '#queries/secrets.ts';

/** A menu of the engines that a new secret can be in. */
export function NewSecretMenu({ places }: { places: readonly SecretPlace[] }) {
  const [isOpen, setOpen] = useState(false);
  useShortcut({
    keys: 'c',
    label: 'New secret',
    group: 'Secrets',
    run: () => {
      setOpen(true);
    },
  });
  return (
    <MenuButton
      label="New secret"
      variant="primary"
      size={28}
      placement="bottom end"
      isOpen={isOpen}
      onOpenChange={setOpen}
      items={places.map((place) => ({
        id: place.mount,
        label: `In ${place.mount}`,
        icon: Database,
        href: newSecretHref(place),
      }))}
    />
  );
}
