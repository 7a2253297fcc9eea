import { UNSTABLE_ToastQueue as ToastQueue } from 'react-aria-components';

export type ToastTone = 'ok' | 'info' | 'warn' | 'danger';

export interface ToastMessage {
  /** What happened, in a few words. */
  title: string;
  /** Why, and what to do. */
  detail?: string;
  /** The request that failed: part of what is copied. */
  requestId?: string;
  /** One thing to do about it; the toast closes when it is pressed. */
  action?: { label: string; onPress: () => void };
  /**
   * Milliseconds until it goes by itself, paused while it is pointed at or focused. 6,000 for ok and info,
   * 10,000 when there is an action. Warnings and errors stay until they are closed, whatever this says.
   */
  timeout?: number;
  /** Told when it is gone, whether by time or by hand: the end of an undo window. */
  onClose?: () => void;
}

export interface ToastContent extends ToastMessage {
  tone: ToastTone;
}

/** What is shown now and what waits behind it. One for the whole page; ToastRegion draws it. */
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

/** Says something that happened and needs no answer. Each returns the toast's key, for `close`. */
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
