import { ShortcutSheet, type ShortcutGroup } from '@gatehouse/ui/shortcut-sheet';
import { useShortcuts } from '#lib/shortcuts.ts';

export interface ShortcutsOfPageProps {
  onClose: () => void;
  isEnabled: boolean;
  onEnabledChange: (isEnabled: boolean) => void;
}

/** All shortcuts of the current page, its own before those of the shell. */
export function ShortcutsOfPage({ onClose, isEnabled, onEnabledChange }: ShortcutsOfPageProps) {
  const shortcuts = useShortcuts();
  const groups = new Map<string, Map<string, string>>();
  // Screens register before the shell, and of two shortcuts with the same keys the later one acts.
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
