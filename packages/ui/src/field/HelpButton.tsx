import { CircleHelp } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button as AriaButton, DialogTrigger, Popover } from 'react-aria-components';
import { Icon } from '../icon/Icon.tsx';

/** The help button beside a label, and its popover. A default export, because it is loaded on demand. */
export default function HelpButton({ label, children }: { label: string; children: ReactNode }) {
  return (
    <DialogTrigger>
      <AriaButton
        slot={null}
        aria-label={`Help: ${label}`}
        className="-my-1 inline-flex size-6 items-center justify-center rounded-control text-ink-3 data-hovered:bg-hover data-hovered:text-ink-1 data-pressed:bg-pressed"
      >
        <Icon icon={CircleHelp} size={14} />
      </AriaButton>
      <Popover
        aria-label={`Help: ${label}`}
        placement="top start"
        offset={6}
        className="overlay-motion max-w-80 rounded-overlay bg-raised p-3 text-body text-ink-2 shadow-overlay outline-none"
      >
        {children}
      </Popover>
    </DialogTrigger>
  );
}
