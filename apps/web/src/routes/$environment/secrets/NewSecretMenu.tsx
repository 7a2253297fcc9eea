import { MenuButton } from '@gatehouse/ui/menu';
import { useQueries } from '@tanstack/react-query';
import { Database } from 'lucide-react';
import { useState } from 'react';
import { newSecretHref } from '#components/places/secrets.ts';
import { useShortcut } from '#lib/shortcuts.ts';
import { capabilitiesQuery, type SecretPlace } from '#queries/secrets.ts';
import { reasonAgainstCreating } from './may.ts';

/** A menu of the engines that a new secret can be in. */
export function NewSecretMenu({ places }: { places: readonly SecretPlace[] }) {
  const [isOpen, setOpen] = useState(false);
  const reasons = useQueries({
    queries: places.map((place) => capabilitiesQuery(place)),
    combine: (all) => all.map(({ data }) => reasonAgainstCreating(data)),
  });
  const disabledReason = reasons.includes(undefined) ? undefined : reasons[0];
  useShortcut({
    keys: 'c',
    label: 'New secret',
    group: 'Secrets',
    disabledReason,
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
      disabledReason={disabledReason}
      isOpen={isOpen}
      onOpenChange={setOpen}
      items={places.map((place, index) => ({
        id: place.mount,
        label: `In ${place.mount}`,
        icon: Database,
        disabledReason: reasons[index],
        href: newSecretHref(place),
      }))}
    />
  );
}
