import { ChevronDown, ChevronUp } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { Button } from '../button/Button.tsx';
import { DiffList, type FieldChange } from '../diff-list/DiffList.tsx';

export interface SaveBarProps {
  /** Differences from the stored record. */
  changes: readonly FieldChange[];
  /** Number of unsaved edits if higher than the number of changes, because some need a decision first. */
  unsaved?: number;
  /** Discards one change by its ID. */
  onUndo: (id: string) => void;
  /** Discards all changes; the caller confirms first if necessary. */
  onDiscard: () => void;
  /** Called even for an invalid form, which then moves focus to its first error. */
  onSave: () => void;
  saveLabel?: string;
  isSaving?: boolean;
  /** Errors of the whole form, above the buttons. */
  error?: ReactNode;
  /** More buttons before Discard. */
  children?: ReactNode;
}

/** `1 change`, `7 changes`, `No changes`. */
export function countChanges(count: number): string {
  if (count === 0) return 'No changes';
  return count === 1 ? '1 change' : `${count.toLocaleString()} changes`;
}

/** The footer of an edit page: the number and list of changes, and the save button. */
export function SaveBar({
  changes,
  unsaved = changes.length,
  onUndo,
  onDiscard,
  onSave,
  saveLabel = 'Save',
  isSaving = false,
  error,
  children,
}: SaveBarProps) {
  const [isReviewing, setReviewing] = useState(false);
  const reviewId = useId();
  const isOpen = isReviewing && changes.length > 0;
  return (
    <div
      role="group"
      aria-label="Changes"
      data-foot
      className="sticky bottom-0 z-10 shrink-0 border-t border-line bg-raised"
    >
      {isOpen && (
        <div id={reviewId} className="max-h-[40vh] overflow-y-auto border-b border-line px-4 py-1">
          <DiffList label="Changes to save" changes={changes} onUndo={onUndo} />
        </div>
      )}
      {error !== undefined && <div className="px-4 pt-3">{error}</div>}
      <div className="flex min-h-14 flex-wrap items-center gap-2 px-4 py-3">
        <span role="status" className="text-body text-ink-2">
          {countChanges(unsaved)}
        </span>
        {changes.length > 0 && (
          <Button
            variant="ghost"
            size={28}
            icon={isOpen ? ChevronDown : ChevronUp}
            aria-expanded={isOpen}
            aria-controls={isOpen ? reviewId : undefined}
            onPress={() => {
              setReviewing(!isReviewing);
            }}
          >
            Review
          </Button>
        )}
        <div className="ms-auto flex items-center gap-2">
          {children}
          <Button onPress={onDiscard} disabledReason={isSaving ? 'Saving in progress.' : undefined}>
            {unsaved === 0 ? 'Cancel' : 'Discard'}
          </Button>
          <Button
            variant="primary"
            isPending={isSaving}
            onPress={onSave}
            shortcut="Mod+S"
            tooltip={saveLabel}
          >
            {saveLabel}
          </Button>
        </div>
      </div>
    </div>
  );
}
