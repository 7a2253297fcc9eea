import { Banner } from '@gatehouse/ui/banner';
import { Button } from '@gatehouse/ui/button';
import { CopyButton } from '@gatehouse/ui/copy-button';
import { useNow } from '@gatehouse/ui/time';
import { toasts } from '@gatehouse/ui/toast';
import { useEffect, useRef } from 'react';
import { conflictTitles } from '#lib/error-words.ts';
import { mayMoveFocus } from '#lib/focus.ts';
import { byWhomAndWhen } from './author-words.ts';
import type { DeletedMeanwhile } from './conflict-state.ts';
import { numberOf } from './conflict-words.ts';

export interface DeletedNoticeProps {
  state: DeletedMeanwhile;
  /** `target` */
  noun: string;
  /** What the person entered, as text. */
  copyText: string;
  /** It holds secrets: the clipboard is cleared after a while. */
  isSecret?: boolean;
  /** Makes it again, and what is not made again; without it that cannot be done here. */
  recreate?: { readonly note: string; readonly isPending: boolean; readonly run: () => void } | undefined;
  onDiscard: () => void;
}

/** The record is gone: make it again with what was edited, keep a copy of that, or let it go. */
export function DeletedNotice({
  state,
  noun,
  copyText,
  isSecret = false,
  recreate,
  onDiscard,
}: DeletedNoticeProps) {
  const now = useNow();
  const { one, it, was } = numberOf(noun);
  const title = `${one} ${was} deleted while you were editing`;
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (mayMoveFocus()) box.current?.focus();
    else toasts.info({ title });
    // oxlint-disable-next-line react/exhaustive-deps -- once, when it comes
  }, []);
  return (
    <div ref={box} tabIndex={-1} role="group" aria-label={conflictTitles.deleted} className="rounded-control">
      <Banner
        tone="warn"
        announce="alert"
        title={title}
        actions={
          <>
            {recreate && (
              <Button size={28} variant="primary" isPending={recreate.isPending} onPress={recreate.run}>
                Recreate with my values
              </Button>
            )}
            <CopyButton text={copyText} label="Copy my values" hasWords isSecret={isSecret} />
            <Button size={28} variant="ghost" onPress={onDiscard}>
              Discard my edit
            </Button>
          </>
        }
      >
        {it} {was} deleted {byWhomAndWhen(state, now)}. Your input is still in the form. {recreate?.note}
      </Banner>
    </div>
  );
}
