import { clsx } from 'clsx';
import {
  ArrowDown,
  ArrowLeft,
  ArrowRight,
  ArrowUp,
  ChevronUp,
  Command,
  CornerDownLeft,
  Option,
} from 'lucide-react';
import { Fragment } from 'react';
import { Icon, type IconType } from '../icon/Icon.tsx';

export interface KbdProps {
  /** Keys joined by `+`, steps by a space: `Mod+K`, `Shift+Space`, `g t`. `Mod` is ⌘ on a Mac, Ctrl elsewhere. */
  keys: string;
  tone?: 'plain' | 'inverse';
}

/** Icons for keys without a glyph in the bundled fonts. */
const drawn: Record<string, { icon: IconType; name: string }> = {
  Command: { icon: Command, name: 'Command' },
  Control: { icon: ChevronUp, name: 'Control' },
  Option: { icon: Option, name: 'Option' },
  Enter: { icon: CornerDownLeft, name: 'Enter' },
  ArrowUp: { icon: ArrowUp, name: 'Up' },
  ArrowDown: { icon: ArrowDown, name: 'Down' },
  ArrowLeft: { icon: ArrowLeft, name: 'Left' },
  ArrowRight: { icon: ArrowRight, name: 'Right' },
};

/** Whether the machine has an Apple keyboard, where `Mod` is ⌘. */
export function hasCommandKey(): boolean {
  return typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.platform);
}

function keyOnThisMachine(key: string, isMac: boolean): string {
  if (key === 'Mod') return isMac ? 'Command' : 'Ctrl';
  if (key === 'Alt' && isMac) return 'Option';
  return key;
}

function Key({ name }: { name: string }) {
  const drawing = drawn[name];
  if (drawing === undefined) return name.length === 1 ? name.toUpperCase() : name;
  return (
    <>
      <Icon icon={drawing.icon} size={12} />
      <span className="sr-only">{drawing.name}</span>
    </>
  );
}

/** A shortcut as labeled on this machine's keyboard. */
export function Kbd({ keys, tone = 'plain' }: KbdProps) {
  const isMac = hasCommandKey();
  return (
    <kbd className="inline-flex items-center gap-1 font-sans text-caps tracking-normal">
      {keys.split(' ').map((step, stepIndex) => (
        <Fragment key={`${step}-${String(stepIndex)}`}>
          {stepIndex > 0 && <span className={tone === 'inverse' ? '' : 'text-ink-3'}>then</span>}
          {step.split('+').map((key) => (
            <kbd
              key={key}
              className={clsx(
                'inline-flex h-4.5 min-w-4.5 items-center justify-center rounded-tag border px-1 font-sans',
                tone === 'inverse' ? 'border-current/40' : 'border-line bg-sunken text-ink-2',
              )}
            >
              <Key name={keyOnThisMachine(key, isMac)} />
            </kbd>
          ))}
        </Fragment>
      ))}
    </kbd>
  );
}
