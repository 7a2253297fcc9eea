import type { Conflict } from '@gatehouse/record-merge';
import { absent } from '@gatehouse/record-merge/absent';
import { Button } from '@gatehouse/ui/button';
import { Eye, EyeOff } from 'lucide-react';
import { useRef, useState } from 'react';
import { wordsOf } from '../../lib/error-words.ts';
import { useForgetting } from '../../lib/forgetting.ts';
import type { ConflictWords } from './ConflictView.tsx';

const sides = ['theirs', 'mine', 'base'] as const;

/** The three values of a secret that both sides changed, when the person asks for them. */
export function SecretSides({
  conflict,
  who,
  revealSide,
}: {
  conflict: Conflict;
  who: string;
  revealSide: NonNullable<ConflictWords['revealSide']>;
}) {
  const [shown, setShown] = useState<readonly { label: string; text: string | undefined }[]>();
  const [isReading, setReading] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const round = useRef(0);
  const forget = (): void => {
    round.current += 1;
    setShown(undefined);
    setReading(false);
  };
  useForgetting(forget);
  const [of, setOf] = useState(conflict);
  if (of !== conflict) {
    // It changed again: what is shown is not what is asked about any more.
    setOf(conflict);
    setShown(undefined);
    setReading(false);
  }
  const labels = { theirs: `Current, by ${who}`, mine: 'Mine', base: 'Before both edits' };
  const reveal = async (): Promise<void> => {
    const own = round.current;
    setReading(true);
    setFailure(undefined);
    try {
      const found = await Promise.all(
        sides.map(async (side) => ({
          label: labels[side],
          text: conflict[side] === absent ? undefined : await revealSide(conflict, side),
        })),
      );
      if (own === round.current) setShown(found);
    } catch (error) {
      if (own === round.current) setFailure(error);
    } finally {
      if (own === round.current) setReading(false);
    }
  };
  return (
    <div className="flex flex-col gap-2">
      <span className="-ms-2">
        <Button
          size={28}
          variant="ghost"
          icon={shown === undefined ? Eye : EyeOff}
          isPending={isReading}
          onPress={() => {
            if (shown === undefined) void reveal();
            else forget();
          }}
        >
          {shown === undefined ? 'Reveal the values' : 'Mask the values'}
        </Button>
      </span>
      {failure !== undefined && (
        <p role="alert" className="text-body text-danger">
          {wordsOf(failure).title}. {wordsOf(failure).detail}
        </p>
      )}
      {shown !== undefined && (
        <dl className="grid gap-x-6 gap-y-2 rounded-control bg-sunken px-3 py-2 narrow:grid-cols-3">
          {shown.map(({ label, text }) => (
            <div key={label} className="min-w-0">
              <dt className="text-meta text-ink-2">{label}</dt>
              <dd className="max-h-40 overflow-y-auto font-mono text-meta/5 whitespace-pre-wrap text-ink-1 wrap-anywhere">
                {text === undefined ? <span className="text-ink-2 italic">deleted</span> : text}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}
