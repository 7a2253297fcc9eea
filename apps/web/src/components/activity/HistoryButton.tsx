import { IconButton } from '@gatehouse/ui/icon-button';
import { lazy } from '@gatehouse/ui/lazy';
import { History } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useShortcut } from '#lib/shortcuts.ts';

const HistoryDrawer = lazy(async () => ({ default: (await import('./HistoryDrawer.tsx')).HistoryDrawer }));

export interface HistoryButtonProps {
  /** The record's ID in the audit trail. */
  resource: string;
  name: string;
  /** The heading of the shortcut: `Target`. */
  group: string;
}

/** Opens the history of a record, at the same place on every record's page. */
export function HistoryButton({ resource, name, group }: HistoryButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const open = (): void => {
    setOpen(true);
  };
  useShortcut({ keys: 'h', label: 'History', group, run: open });
  return (
    <>
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
