import type { ReactNode } from 'react';
import { Tooltip as AriaTooltip, TooltipTrigger } from 'react-aria-components';
import { Kbd } from '../kbd/Kbd.tsx';

export interface TooltipProps {
  /** A few words; a tooltip is never the only place of something that is needed. */
  text: ReactNode;
  /** The shortcut that does the same, as `Kbd` takes it: `Mod+S`. */
  shortcut?: string;
  placement?: 'top' | 'bottom' | 'left' | 'right';
  isDisabled?: boolean;
  /** Exactly one focusable element of this package (a Button, IconButton or link), or a react-aria `Focusable`. */
  children: ReactNode;
}

/** Shows a few words beside its child on hover and on keyboard focus; Esc hides it. */
export function Tooltip({
  text,
  shortcut,
  placement = 'bottom',
  isDisabled = false,
  children,
}: TooltipProps) {
  return (
    <TooltipTrigger delay={400} closeDelay={100} isDisabled={isDisabled}>
      {children}
      <AriaTooltip
        placement={placement}
        offset={6}
        className="overlay-motion flex max-w-72 items-center gap-2 rounded-control border border-transparent bg-ink-1 px-2 py-1 text-meta text-page"
      >
        <span>{text}</span>
        {shortcut !== undefined && <Kbd keys={shortcut} tone="inverse" />}
      </AriaTooltip>
    </TooltipTrigger>
  );
}
