import type { ReactNode } from 'react';
import {
  Dialog,
  DialogTrigger,
  Popover as AriaPopover,
  type PopoverProps as AriaPopoverProps,
} from 'react-aria-components';

export interface PopoverProps {
  /** The Button or IconButton that opens it. */
  trigger: ReactNode;
  /** What it holds: its accessible name. */
  label: string;
  children: ReactNode | ((options: { close: () => void }) => ReactNode);
  placement?: AriaPopoverProps['placement'];
  isOpen?: boolean;
  onOpenChange?: (isOpen: boolean) => void;
}

/** A small panel beside the button that opens it: filters, columns, a detail. Esc and a press outside close it. */
export function Popover({
  trigger,
  label,
  children,
  placement = 'bottom start',
  isOpen,
  onOpenChange,
}: PopoverProps) {
  return (
    <DialogTrigger isOpen={isOpen} onOpenChange={onOpenChange}>
      {trigger}
      <AriaPopover
        placement={placement}
        offset={4}
        className="overlay-motion max-w-[min(420px,calc(100vw-32px))] overflow-auto rounded-overlay bg-raised shadow-overlay"
      >
        <Dialog aria-label={label} className="p-4 text-body text-ink-1 outline-none">
          {children}
        </Dialog>
      </AriaPopover>
    </DialogTrigger>
  );
}
