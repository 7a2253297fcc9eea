import { IconButton } from '@gatehouse/ui/icon-button';
import { lazy } from '@gatehouse/ui/lazy';
import { History, Star } from 'lucide-react';
import { Suspense, useState, type ComponentProps } from 'react';
import { useShortcut } from '#lib/shortcuts.ts';
import { useFavorite } from '#queries/favorites.ts';

const HistoryDrawer = lazy(async () => ({
  default: (await import('../activity/HistoryDrawer.tsx')).HistoryDrawer,
}));

export interface RecordButtonsProps {
  /** The record's ID in the audit trail. */
  resource: string;
  name: string;
  /** The heading of the shortcuts: `Target`. */
  group: string;
}

/** Adds a record to the favorites, and opens its history: at the same place on every record's page. */
export function RecordButtons({ resource, name, group }: RecordButtonsProps) {
  const [isOpen, setOpen] = useState(false);
  const open = (): void => {
    setOpen(true);
  };
  useShortcut({ keys: 'h', label: 'History', group, run: open });
  return (
    <>
      <FavoriteButton name={name} group={group} />
      <IconButton icon={History} label="History" shortcut="h" onPress={open} />
      {isOpen && (
        <Suspense fallback={null}>
          <HistoryDrawer
            resource={resource}
            name={name}
            onClose={() => {
              setOpen(false);
            }}
          />
        </Suspense>
      )}
    </>
  );
}

/** Adds a page to the favorites, or removes it. */
export function FavoriteButton({ name, group }: Pick<RecordButtonsProps, 'name' | 'group'>) {
  const { isFavorite, toggle, disabledReason } = useFavorite(name);
  const label = isFavorite ? 'Remove from favorites' : 'Add to favorites';
  useShortcut({ label, group, run: toggle, disabledReason });
  return (
    <IconButton
      icon={isFavorite ? FullStar : Star}
      label={label}
      disabledReason={disabledReason}
      onPress={toggle}
    />
  );
}

function FullStar(props: ComponentProps<typeof Star>) {
  return <Star {...props} fill="currentColor" />;
}
