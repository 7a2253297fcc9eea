import { clsx } from 'clsx';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { PlainIconButton } from '../icon-button/PlainIconButton.tsx';
import { Icon } from '../icon/Icon.tsx';
import { type Tone, toneIcons, toneTextClass, toneTintClass } from '../tone/tone.ts';

export interface BannerProps {
  tone: Tone;
  title: ReactNode;
  /** The reason, and what to do. */
  children?: ReactNode;
  /** Buttons of 28 px. */
  actions?: ReactNode;
  /** Makes the banner dismissible. */
  onClose?: () => void;
  /**
   * How the banner is announced: `alert` interrupts, `status` waits, `none` for a banner that was there from the start.
   * `alert` for danger and `status` otherwise unless given.
   */
  announce?: 'alert' | 'status' | 'none';
}

/** News about the whole page or form, above the rest. */
export function Banner({ tone, title, children, actions, onClose, announce }: BannerProps) {
  const how = announce ?? (tone === 'danger' ? 'alert' : 'status');
  return (
    <div
      role={how === 'none' ? undefined : how}
      className={clsx('flex items-start gap-2 rounded-control border px-3 py-2', toneTintClass[tone])}
    >
      <Icon icon={toneIcons[tone]} className={clsx('mt-0.5', toneTextClass[tone])} />
      <div className="flex min-w-0 flex-1 flex-wrap items-start gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-60 text-body">
          <div className="font-medium text-ink-1">{title}</div>
          {children !== undefined && <div className="text-ink-2 wrap-anywhere">{children}</div>}
        </div>
        {actions !== undefined && (
          <div className="flex max-w-full shrink-0 flex-wrap items-center gap-2">{actions}</div>
        )}
      </div>
      {onClose !== undefined && (
        <span className="-my-1 -me-1.5 flex">
          <PlainIconButton icon={X} label="Close" onPress={onClose} />
        </span>
      )}
    </div>
  );
}
