import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { ListBoxItem } from 'react-aria-components';
import { Icon, type IconType } from '../icon/Icon.tsx';

export interface OptionItem {
  /** Unique in its list; the value that a form stores. */
  id: string;
  label: string;
  /** A second line: an ID, an address, an explanation. */
  detail?: string;
  icon?: IconType;
  /** Why it can't be selected; it stays readable in the list. */
  disabledReason?: string;
}

/** The popover with a list of options, at least as wide as its control. */
export const optionPopoverClass =
  'overlay-motion min-w-(--trigger-width) max-w-[min(480px,calc(100vw-32px))] overflow-auto rounded-overlay bg-raised shadow-overlay';

export const optionListClass = 'p-1 outline-none';

/** One option of a Select or a ComboBox. */
export function Option({ item, children }: { item: OptionItem; children?: ReactNode }) {
  return (
    <ListBoxItem
      id={item.id}
      textValue={item.label}
      isDisabled={item.disabledReason !== undefined}
      className="group flex min-h-7 cursor-default items-start gap-2 rounded-control px-2 py-1 text-body text-ink-1 outline-none data-disabled:text-ink-3 data-focused:bg-hover data-hovered:bg-hover data-pressed:bg-pressed forced-colors:data-focused:outline-2"
    >
      <span className="mt-0.5 flex size-4 shrink-0 text-accent">
        <Icon icon={Check} className="invisible group-data-selected:visible" />
      </span>
      {item.icon !== undefined && <Icon icon={item.icon} className="mt-0.5 text-ink-2" />}
      <span className="flex min-w-0 flex-1 flex-col">
        <span className="wrap-anywhere">
          {children ?? item.label}
          {(item.detail ?? item.disabledReason) !== undefined && ' '}
        </span>
        {(item.detail !== undefined || item.disabledReason !== undefined) && (
          <span className="text-meta text-ink-3 wrap-anywhere">{item.disabledReason ?? item.detail}</span>
        )}
      </span>
    </ListBoxItem>
  );
}
