import { ShortcutSheet, type ShortcutGroup } from '@gatehouse/ui/shortcut-sheet';
import { useShortcuts } from '#lib/shortcuts.ts';

export interface ShortcutsOfPageProps {
  onClose: () => void;
  isEnabled: boolean;
  onEnabledChange: (isEnabled: boolean) => void;
}

/** Every shortcut that works on this page now, what is particular to it first. */
export function ShortcutsOfPage({ onClose, isEnabled, onEnabledChange }: ShortcutsOfPageProps) {
  const shortcuts = useShortcuts();
  const groups = new Map<string, Map<string, string>>();
  // A screen offers its own before the shell does; of two with the same keys the later one acts.
  for (const { group, keys, label } of shortcuts) {
    if (keys === undefined) continue;
    groups.set(group, (groups.get(group) ?? new Map<string, string>()).set(keys, label));
  }
  const listed: ShortcutGroup[] = [...groups].map(([title, entries]) => ({
    title,
    shortcuts: [...entries].map(([keys, label]) => ({ keys, label })),
  }));
  return (
    <ShortcutSheet
      isOpen
      onOpenChange={onClose}
      groups={listed}
      isEnabled={isEnabled}
      onEnabledChange={onEnabledChange}
    />
  );
}
