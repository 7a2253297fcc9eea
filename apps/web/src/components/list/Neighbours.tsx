import { IconButton } from '@gatehouse/ui/icon-button';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useShortcut } from '#lib/shortcuts.ts';

interface Neighbour {
  /** `Newer version` */
  readonly label: string;
  /** Why there is none. */
  readonly noneReason: string;
  /** Undefined if there is none. */
  readonly go: (() => void) | undefined;
}

/** Navigation to the previous and next item of a list. */
export function Neighbours({
  group,
  before,
  after,
  position,
}: {
  /** Heading of the shortcuts: `Version`. */
  group: string;
  before: Neighbour;
  after: Neighbour;
  /** `3 of 50` */
  position?: string;
}) {
  useShortcut(before.go && { keys: '[', label: before.label, group, run: before.go });
  useShortcut(after.go && { keys: ']', label: after.label, group, run: after.go });
  if (!before.go && !after.go) return null;
  return (
    <span className="flex items-center gap-1">
      {position !== undefined && (
        <span className="hidden text-meta text-ink-2 narrow:inline">{position}</span>
      )}
      <IconButton
        icon={ChevronLeft}
        label={before.label}
        shortcut="["
        disabledReason={before.go ? undefined : before.noneReason}
        onPress={() => before.go?.()}
      />
      <IconButton
        icon={ChevronRight}
        label={after.label}
        shortcut="]"
        disabledReason={after.go ? undefined : after.noneReason}
        onPress={() => after.go?.()}
      />
    </span>
  );
}
