import type { Move } from '@gatehouse/api-types/console/moves';
import { ProgressBar } from '@gatehouse/ui/progress-bar';
import { kindWords } from '#components/moves/move-kinds.ts';
import { ended, toCopy } from '#components/moves/move-state.ts';
import { leftWords, rateWords, waitWords } from '#components/moves/move-words.ts';
import { byteSize } from '#lib/byte-size.ts';

/** Copying progress: bytes, pieces, and items that are ready to use. @param now in ms */
export function CopyProgress({ move, now }: { move: Move; now: number }) {
  const { kind, pieces, bytes, items, rate, seconds_left: left, state } = move;
  const { many, pieces: noun } = kindWords[kind];
  const total = toCopy(pieces);
  const readable = items.chosen - items.unread;
  const waits = waitWords(move, now);
  const isCopying = state === 'copying';
  const news =
    waits === undefined && isCopying
      ? [...(rate === null ? [] : [rateWords(rate)]), ...(left === null ? [] : [leftWords(left)])].join(', ')
      : waits === undefined
        ? ''
        : `${waits}. The move continues automatically.`;
  return (
    <div className="flex flex-col gap-3">
      <ProgressBar
        label="Data"
        value={bytes.total === 0 ? 0 : Math.min(1, bytes.copied / bytes.total)}
        valueLabel={`${byteSize(bytes.copied)} of ${bytes.unknown > 0 ? 'at least ' : ''}${byteSize(bytes.total)}`}
      />
      <ProgressBar
        label={noun === 'images' ? 'Images' : 'Archives'}
        value={total === 0 ? 1 : ended(pieces) / total}
        valueLabel={`${ended(pieces).toLocaleString('en')} of ${total.toLocaleString('en')}`}
      />
      <ProgressBar
        label={`${kind === 'boxes' ? 'Boxes' : 'Modules'} ready to use here`}
        value={readable === 0 ? 1 : items.usable / readable}
        valueLabel={`${items.usable.toLocaleString('en')} of ${readable.toLocaleString('en')} ${many}`}
      />
      {news !== '' && (
        <p className={`text-body tabular-nums ${waits === undefined ? 'text-ink-2' : 'text-warn'}`}>{news}</p>
      )}
    </div>
  );
}
