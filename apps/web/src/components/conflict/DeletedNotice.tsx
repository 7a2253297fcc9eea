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
  /** The user's input as text. */
  copyText: string;
  /** Whether it holds secrets: then the clipboard is cleared after a while. */
  isSecret?: boolean;
  /** Recreates the record; `note` says what isn't recreated. Undefined if the form can't. */
  recreate?: { readonly note: string; readonly isPending: boolean; readonly run: () => void } | undefined;
  onDiscard: () => void;
}

/** For a record that was deleted during the edit: recreate it with the edit, copy the edit, or discard it. */
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
