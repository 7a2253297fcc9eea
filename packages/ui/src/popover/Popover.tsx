import { type ReactNode, useContext } from 'react';
import {
  Popover as AriaPopover,
  type PopoverProps as AriaPopoverProps,
  DialogTrigger,
  OverlayTriggerStateContext,
} from 'react-aria-components';

type PopoverContent = ReactNode | ((options: { close: () => void }) => ReactNode);

export interface PopoverProps {
  /** The Button or IconButton that opens it. */
  trigger: ReactNode;
  /** Accessible name of the content. */
  label: string;
  children: PopoverContent;
  placement?: AriaPopoverProps['placement'];
  isOpen?: boolean;
  onOpenChange?: (isOpen: boolean) => void;
}

function Content({ children }: { children: PopoverContent }) {
  const state = useContext(OverlayTriggerStateContext);
  return typeof children === 'function' ? children({ close: () => state?.close() }) : children;
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
      {/* The popover itself is the dialog. With a dialog inside it, its hidden close buttons would be outside the
          dialog. */}
      <AriaPopover
        aria-label={label}
        placement={placement}
        offset={4}
        className="overlay-motion max-w-[min(420px,calc(100vw-32px))] overflow-auto rounded-overlay bg-raised p-4 text-body text-ink-1 shadow-overlay outline-none"
      >
        <Content>{children}</Content>
      </AriaPopover>
    </DialogTrigger>
  );
}
