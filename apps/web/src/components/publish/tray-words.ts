/** What the tray of uploads says. */
import type { PublishRunSummary, RunProvider } from '@gatehouse/api-types/console/publish';
import type { Upload } from '@gatehouse/api-types/console/publish-uploads';
import type { Sending } from '../../lib/uploads/sending.ts';
import { isUnderWay, transferWords } from './transfer-words.ts';

export interface Transfer {
  readonly run: PublishRunSummary;
  readonly provider: RunProvider;
  readonly upload: Upload;
}

/** Images of open runs that are on their way, or failed on it. */
export function transfersOf(runs: readonly PublishRunSummary[]): readonly Transfer[] {
  return runs
    .filter(({ state }) => state === 'open')
    .flatMap((run) =>
      run.providers.flatMap((provider) => {
        const { upload } = provider;
        return upload !== null && (isUnderWay(upload) || upload.state === 'failed')
          ? [{ run, provider, upload }]
          : [];
      }),
    );
}

export interface TrayWords {
  readonly text: string;
  readonly isBusy: boolean;
  readonly isFailed: boolean;
}

/** How far all of them are, in a few words. */
export function trayWords(transfers: readonly Transfer[], sendings: readonly Sending[]): TrayWords {
  const all = transfers.map(({ upload }) => {
    const sending = sendings.find(({ id }) => id === upload.id);
    return { upload, sending, words: transferWords(upload, sending) };
  });
  // An image goes two ways.
  const total = all.reduce((sum, { upload }) => sum + upload.file.size * 2, 0);
  const moved = all.reduce((sum, { upload, sending }) => {
    const sent = Math.max(upload.received, sending?.state === 'sending' ? sending.sent : 0);
    return sum + sent + (upload.state === 'verifying' ? upload.file.size : upload.delivered);
  }, 0);
  const percent = total === 0 ? 0 : Math.floor((moved / total) * 100);
  const states = [...new Set(all.map(({ words }) => words.word.toLowerCase()))].join(', ');
  return {
    text: `${transfers.length === 1 ? '1 image' : `${String(transfers.length)} images`}, ${String(percent)} %, ${states}`,
    isBusy: all.some(({ words }) => words.isBusy),
    isFailed: all.some(({ words }) => words.tone === 'danger'),
  };
}
