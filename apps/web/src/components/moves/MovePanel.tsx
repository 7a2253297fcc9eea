import type { MoveSummary } from '@gatehouse/api-types/console/moves';
import { StatusDot } from '@gatehouse/ui/badge';
import { Button } from '@gatehouse/ui/button';
import { LinkButton } from '@gatehouse/ui/link';
import { ProgressBar } from '@gatehouse/ui/progress-bar';
import { toasts } from '@gatehouse/ui/toast';
import { Pause, Play } from 'lucide-react';
import { useState } from 'react';
import { byteSize } from '#lib/byte-size.ts';
import { counted } from '#lib/counted.ts';
import { wordsOf } from '#lib/error-words.ts';
import { useMoveWrites } from '#queries/move.ts';
import { moveHref } from '../places/moves.ts';
import { kindWords } from './move-kinds.ts';
import { ended, isMoving, moveTitle, shareDone, stateWords, toCopy } from './move-state.ts';
import { leftWords, rateWords } from './move-words.ts';
import { moveTrayItem } from './tray-words.ts';

/** A move among the tasks: its progress, with buttons to pause, resume and open it. */
export function MovePanel({ environment, move }: { environment: string; move: MoveSummary }) {
  const writes = useMoveWrites(environment);
  const [isPending, setPending] = useState(false);
  const title = moveTitle(move);
  const { word, tone, isBusy } = stateWords(move);
  const { kind, state, bytes, pieces, planning, rate, seconds_left: left, source, pause } = move;
  const act = (work: () => Promise<unknown>): void => {
    setPending(true);
    work()
      .catch((error: unknown) => {
        const { title: what, detail } = wordsOf(error);
        toasts.danger({ title: what, detail });
      })
      .finally(() => {
        setPending(false);
      });
  };
  // Its page asks for the token.
  const needsToken = source.used_token || pause?.reason === 'source-token';
  return (
    <section aria-label={title} className="flex min-w-0 flex-col gap-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h2 className="min-w-0 flex-1 basis-48 text-heading font-semibold text-ink-1 wrap-anywhere">
          {title}
        </h2>
        <StatusDot tone={tone} isBusy={isBusy}>
          {word}
        </StatusDot>
        {isMoving(move) && (
          <Button
            size={28}
            icon={Pause}
            isPending={isPending}
            onPress={() => {
              act(() => writes.pause(move.id));
            }}
          >
            Pause<span className="sr-only"> {title}</span>
          </Button>
        )}
        {state === 'paused' && !needsToken && (
          <Button
            size={28}
            icon={Play}
            isPending={isPending}
            onPress={() => {
              act(() => writes.resume(move.id, ''));
            }}
          >
            Resume<span className="sr-only"> {title}</span>
          </Button>
        )}
        <LinkButton size={28} href={moveHref(environment, move.kind, move.id)}>
          Open<span className="sr-only"> {title}</span>
        </LinkButton>
      </div>
      {state === 'planning' ? (
        <ProgressBar
          label="Read"
          {...(planning !== null && planning.found > 0 && { value: planning.read / planning.found })}
          valueLabel={moveTrayItem(move).text}
        />
      ) : (
        <ProgressBar
          label="Copied"
          value={shareDone(move)}
          valueLabel={[
            // As in the progress bar: unknown sizes have no share.
            bytes.unknown === 0
              ? `${byteSize(bytes.copied)} of ${byteSize(bytes.total)}`
              : `${ended(pieces).toLocaleString('en')} of ${counted(toCopy(pieces), kindWords[kind].piece, kindWords[kind].pieces)}`,
            ...(rate === null ? [] : [rateWords(rate)]),
            ...(left === null ? [] : [leftWords(left)]),
          ].join(', ')}
        />
      )}
      {pause !== null && <p className="text-body text-ink-2">{pause.detail}</p>}
    </section>
  );
}
