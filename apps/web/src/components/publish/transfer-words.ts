/** Uploads in words. */
import type { Upload } from '@gatehouse/api-types/console/publish-uploads';
import type { StatusDotProps } from '@gatehouse/ui/badge';
import type { Sending } from '#lib/uploads/sending.ts';

export interface TransferWords {
  readonly word: string;
  readonly tone: StatusDotProps['tone'];
  readonly isBusy: boolean;
}

/** @param sending the transfer from this page, if any */
export function transferWords(upload: Upload, sending: Sending | undefined): TransferWords {
  switch (upload.state) {
    case 'receiving':
      return receivingWords(sending);
    case 'received':
      return { word: 'Waiting for delivery', tone: 'info', isBusy: true };
    case 'delivering':
      return { word: 'Delivering', tone: 'info', isBusy: true };
    case 'verifying':
      return { word: 'Verifying', tone: 'info', isBusy: true };
    case 'done':
      return { word: 'Delivered and verified', tone: 'ok', isBusy: false };
    case 'failed':
      return { word: 'Failed', tone: 'danger', isBusy: false };
    case 'cancelled':
      return { word: 'Canceled', tone: 'neutral', isBusy: false };
    case 'expired':
      return { word: 'Expired', tone: 'warn', isBusy: false };
  }
}

function receivingWords(sending: Sending | undefined): TransferWords {
  switch (sending?.state) {
    case undefined:
      return { word: 'Not sending from this page', tone: 'warn', isBusy: false };
    case 'sending':
    case 'sent':
      return { word: 'Sending', tone: 'info', isBusy: true };
    case 'paused':
      return { word: 'Paused', tone: 'neutral', isBusy: false };
    case 'broken':
      return { word: 'Waiting to retry', tone: 'warn', isBusy: true };
    case 'refused':
      return { word: 'Stopped', tone: 'danger', isBusy: false };
  }
}

/** Whether an upload still changes without the user, or waits for bytes. */
export function isUnderWay({ state }: Upload): boolean {
  return state === 'receiving' || state === 'received' || state === 'delivering' || state === 'verifying';
}

/** An approximate duration: `3 min 20 s`, `under 5 s`. */
export function roughTime(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  if (seconds < 5) return 'under 5 s';
  if (seconds < 60) return `${String(Math.ceil(seconds / 5) * 5)} s`;
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 60) return `${String(minutes)} min`;
  return `${String(Math.floor(minutes / 60))} h ${String(minutes % 60)} min`;
}
