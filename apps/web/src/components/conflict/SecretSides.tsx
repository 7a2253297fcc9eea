import type { Conflict } from '@gatehouse/record-merge';
import { absent } from '@gatehouse/record-merge/absent';
import { RevealButton } from '@gatehouse/ui/secret-value';
import { useState } from 'react';
import { useForgetting } from '#lib/forgetting.ts';
import type { ConflictWords } from './conflict-words.ts';

const sides = ['theirs', 'mine', 'base'] as const;

/** The three values of a secret that both sides changed, revealed on request. */
export function SecretSides({
  conflict,
  by,
  secretText,
}: {
  conflict: Conflict;
  /** `by Ada`, `elsewhere` */
  by: string;
  secretText: NonNullable<ConflictWords['secretText']>;
}) {
  const [isShown, setShown] = useState(false);
  useForgetting(() => {
    setShown(false);
  });
  const [of, setOf] = useState(conflict);
  if (of !== conflict) {
    // The secret has changed again, so the revealed values are outdated.
    setOf(conflict);
    setShown(false);
  }
  const labels = { theirs: `Current, changed ${by}`, mine: 'Mine', base: 'Before both edits' };
  return (
    <div className="flex flex-col gap-2">
      <span className="-ms-2">
        <RevealButton what="the values" isShown={isShown} onChange={setShown} />
      </span>
      {isShown && (
        <dl className="grid gap-x-6 gap-y-2 rounded-control bg-sunken px-3 py-2 narrow:grid-cols-3">
          {sides.map((side) => (
            <div key={side} className="min-w-0">
              <dt className="text-meta text-ink-2">{labels[side]}</dt>
              <dd className="max-h-40 overflow-y-auto font-mono text-meta/5 whitespace-pre-wrap text-ink-1 wrap-anywhere">
                {conflict[side] === absent ? (
                  <span className="text-ink-2 italic">deleted</span>
                ) : (
                  secretText(conflict[side])
                )}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}
