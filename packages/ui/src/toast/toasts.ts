import { UNSTABLE_ToastQueue as ToastQueue } from 'react-aria-components';

export type ToastTone = 'ok' | 'info' | 'warn' | 'danger';

export interface ToastMessage {
  /** What happened, in a few words. */
  title: string;
  /** The reason, and what to do. */
  detail?: string;
  /** The failed request's ID, which is included in the copied text. */
  requestId?: string;
  /** An action for the message; pressing it closes the toast. */
  action?: { label: string; onPress: () => void };
  /**
   * Milliseconds until it closes automatically, paused while hovered or focused. 6,000 for ok and info, 10,000 with an
   * action. Warnings and errors always stay until they are closed.
   */
  timeout?: number;
  /** Called when the toast is gone, automatically or by the user: the end of an undo window. */
  onClose?: () => void;
}

export interface ToastContent extends ToastMessage {
  tone: ToastTone;
}

/** The page's queue of toasts: visible and waiting ones. ToastRegion renders it. */
export const toastQueue = new ToastQueue<ToastContent>({ maxVisibleToasts: 4 });

function add(tone: ToastTone, message: ToastMessage): string {
  const goesByItself = tone === 'ok' || tone === 'info';
  return toastQueue.add(
    { tone, ...message },
    {
      timeout: goesByItself
        ? (message.timeout ?? (message.action === undefined ? 6_000 : 10_000))
        : undefined,
      onClose: message.onClose,
    },
  );
}

/** Show a message that needs no answer. Each returns the toast's key for `close`. */
export const toasts = {
  ok: (message: ToastMessage): string => add('ok', message),
  info: (message: ToastMessage): string => add('info', message),
  warn: (message: ToastMessage): string => add('warn', message),
  danger: (message: ToastMessage): string => add('danger', message),
  close: (key: string): void => {
    toastQueue.close(key);
  },
  clear: (): void => {
    toastQueue.clear();
  },
};
