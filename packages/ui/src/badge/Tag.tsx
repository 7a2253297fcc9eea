import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import { Icon } from '../icon/Icon.tsx';

export interface TagProps {
  children: ReactNode;
  /** Makes the tag removable; the label names what is removed: `Remove filter type`. */
  onRemove?: () => void;
  removeLabel?: string;
  isMono?: boolean;
}

/** A member of a set: an active filter, an ID, a name. */
export function Tag({ children, onRemove, removeLabel = 'Remove', isMono = false }: TagProps) {
  return (
    <span className="inline-flex h-6 max-w-full items-center rounded-tag border border-line bg-sunken text-meta text-ink-1">
      <span className={`truncate px-1.5 ${isMono ? 'font-mono' : ''}`}>{children}</span>
      {onRemove !== undefined && (
        <AriaButton
          aria-label={removeLabel}
          onPress={onRemove}
          className="flex size-6 shrink-0 items-center justify-center rounded-tag text-ink-3 -outline-offset-2! data-hovered:bg-hover data-hovered:text-ink-1 data-pressed:bg-pressed"
        >
          <Icon icon={X} size={12} />
        </AriaButton>
      )}
    </span>
  );
}
