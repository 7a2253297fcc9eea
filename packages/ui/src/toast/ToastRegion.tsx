import { X } from 'lucide-react';
import {
  Text,
  UNSTABLE_Toast as AriaToast,
  UNSTABLE_ToastContent as AriaToastContent,
  UNSTABLE_ToastRegion as AriaToastRegion,
} from 'react-aria-components';
import { Button } from '../button/Button.tsx';
import { CopyButton } from '../copy-button/CopyButton.tsx';
import { IconButton } from '../icon-button/IconButton.tsx';
import { Icon } from '../icon/Icon.tsx';
import { toneIcons, toneTextClass } from '../tone/tone.ts';
import { type ToastContent, toastQueue } from './toasts.ts';

/** A toast's complete text, for copying. */
export function toastText({ title, detail, requestId }: ToastContent): string {
  return [title, detail, requestId === undefined ? undefined : `Request ${requestId}`]
    .filter((line) => line !== undefined)
    .join('\n');
}

/**
 * Where toasts appear: one per page, near its root. F6 moves focus to it. Pressing a toast doesn't count as a press
 * outside a dialog.
 */
export function ToastRegion() {
  return (
    <AriaToastRegion
      queue={toastQueue}
      aria-label="Notifications"
      className="toast-region fixed end-4 z-50 flex w-96 max-w-[calc(100vw-32px)] flex-col gap-2 rounded-overlay"
    >
      {({ toast }) => {
        const { tone, title, detail, requestId, action } = toast.content;
        return (
          <AriaToast
            toast={toast}
            className="flex items-start gap-3 rounded-overlay bg-raised py-2 ps-3 pe-2 shadow-overlay"
          >
            <Icon icon={toneIcons[tone]} className={`mt-1.5 ${toneTextClass[tone]}`} />
            <AriaToastContent className="flex min-w-0 flex-1 flex-col gap-0.5 py-1">
              <Text slot="title" className="text-body font-medium text-ink-1">
                {title}
              </Text>
              {detail !== undefined && (
                <Text slot="description" className="text-body text-ink-2 wrap-anywhere">
                  {detail}
                </Text>
              )}
              {requestId !== undefined && (
                <span className="font-mono text-meta text-ink-3 wrap-anywhere">Request {requestId}</span>
              )}
              {action !== undefined && (
                <div className="pt-1.5">
                  <Button
                    size={28}
                    onPress={() => {
                      action.onPress();
                      toastQueue.close(toast.key);
                    }}
                  >
                    {action.label}
                  </Button>
                </div>
              )}
            </AriaToastContent>
            <div className="flex shrink-0">
              {(tone === 'danger' || tone === 'warn') && (
                <CopyButton text={toastText(toast.content)} label="Copy message" />
              )}
              <IconButton icon={X} label="Close" slot="close" />
            </div>
          </AriaToast>
        );
      }}
    </AriaToastRegion>
  );
}
