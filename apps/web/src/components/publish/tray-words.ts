/** Words for transfers of images in the tray. */
import type { PublishRunSummary } from '@gatehouse/api-types/console/publish';
import type { Upload } from '@gatehouse/api-types/console/publish-uploads';
import type { Sending } from '#lib/uploads/sending.ts';
import { quarterOf, type TrayItem, type TrayLook } from '../tasks/tray-items.ts';
import { titleOfRun } from './publish-steps.ts';
import { isUnderWay, transferWords } from './transfer-words.ts';

export interface Transfer {
  readonly run: PublishRunSummary;
  readonly provider: PublishRunSummary['providers'][number];
  readonly upload: Upload;
}

/**
 * Images of open runs that are being transferred or have failed.
 * @param watched IDs of uploads that this page saw active; they are also shown after they have ended
 */
export function transfersOf(
  runs: readonly PublishRunSummary[],
  watched: ReadonlySet<string>,
): readonly Transfer[] {
  return runs
    .filter(({ state }) => state === 'open')
    .flatMap((run) =>
      run.providers.flatMap((provider) => {
        const { upload } = provider;
        if (upload === null) return [];
        const isShown =
          isUnderWay(upload) ||
          upload.state === 'failed' ||
          (upload.state === 'done' && watched.has(upload.id));
        return isShown ? [{ run, provider, upload }] : [];
      }),
    );
}

/**
 * Seconds until the next poll of the transfers; undefined if nothing can have changed.
 * @param sendings transfers from this page
 */
export function askAgainAfter(
  transfers: readonly Transfer[],
  sendings: readonly Sending[],
): number | undefined {
  const moves = transfers.some(
    ({ upload }) =>
      ['received', 'delivering', 'verifying'].includes(upload.state) ||
      sendings.some(({ id, state }) => id === upload.id && state === 'sending'),
  );
  if (moves) return 2;
  // Another browser may be sending it.
  return transfers.some(({ upload }) => upload.state === 'receiving') ? 15 : undefined;
}

/** Transfers grouped by run, newest first. */
export function byRun(transfers: readonly Transfer[]): readonly (readonly [Transfer, ...Transfer[]])[] {
  const runs = new Map<string, [Transfer, ...Transfer[]]>();
  for (const transfer of transfers) {
    const known = runs.get(transfer.run.id);
    if (known === undefined) runs.set(transfer.run.id, [transfer]);
    else known.push(transfer);
  }
  return [...runs.values()];
}

/** The progress of a run's images in a few words. */
export function transferItem(
  transfers: readonly [Transfer, ...Transfer[]],
  sendings: readonly Sending[],
): TrayItem {
  const [{ run }] = transfers;
  const all = transfers.map(({ upload }) => {
    const sending = sendings.find(({ id }) => id === upload.id);
    return { upload, sending, words: transferWords(upload, sending) };
  });
  // An image is transferred twice: to the console and to the registry.
  const total = all.reduce((sum, { upload }) => sum + upload.file.size * 2, 0);
  const moved = all.reduce((sum, { upload, sending }) => sum + movedBytes(upload, sending), 0);
  const states = [...new Set(all.map(({ words }) => words.word.toLowerCase()))].join(', ');
  const count = transfers.length === 1 ? '1 image' : `${String(transfers.length)} images`;
  const look = lookOf(
    all.map(({ upload, words }) =>
      words.isBusy
        ? 'busy'
        : words.tone === 'danger'
          ? 'failed'
          : upload.state === 'done'
            ? 'done'
            : 'waiting',
    ),
  );
  const percent = total === 0 ? 0 : Math.floor((moved / total) * 100);
  return {
    key: `run-${run.id}`,
    title: `Publish ${titleOfRun(run)}`,
    text: look === 'done' ? `${count}, ${states}` : `${count}, ${String(percent)} %, ${states}`,
    spoken: look === 'done' ? states : `${quarterOf(moved, total)}, ${states}`,
    look,
  };
}

function movedBytes(upload: Upload, sending: Sending | undefined): number {
  if (upload.state === 'done' || upload.state === 'verifying') return upload.file.size * 2;
  const sent = Math.max(upload.received, sending?.state === 'sending' ? sending.sent : 0);
  return sent + upload.delivered;
}

function lookOf(looks: readonly TrayLook[]): TrayLook {
  const first = (['failed', 'busy', 'waiting'] as const).find((look) => looks.includes(look));
  return first ?? 'done';
}
