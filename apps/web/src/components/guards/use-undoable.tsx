import type { Harm } from '@gatehouse/api-types/console/harm';
import { ConfirmDialog, type ConfirmDialogProps } from '@gatehouse/ui/confirm-dialog';
import { useRef, useState, type ReactNode } from 'react';
import { failureTitle, sentencesOf } from '#lib/error-words.ts';
import { tellFailure, tellUndoable } from './tell-undoable.ts';
import { useLadder } from './use-ladder.ts';

/** An undoable action and its words. */
export interface Undoable extends Pick<ConfirmDialogProps, 'confirmLabel' | 'impacts'> {
  /** The question, if confirmation is required. */
  readonly title: string;
  readonly act: () => Promise<unknown>;
  /** `v1.2.3 pinned` */
  readonly done: string;
  /** Undoes the action. */
  readonly undo: () => Promise<unknown>;
  readonly undone: string;
}

/**
 * Runs an undoable action: at once, followed by an Undo button, or after a click if the ladder requires one.
 */
export function useUndoable(harm: Harm | undefined): {
  readonly run: (what: Undoable) => void;
  /** The dialog, while open. */
  readonly question: ReactNode;
} {
  const { rung, asks } = useLadder(harm, '');
  const [asked, setAsked] = useState<Undoable>();
  const [state, setState] = useState<Pick<ConfirmDialogProps, 'isPending' | 'error' | 'errorTitle'>>(idle);
  const isBusy = useRef(false);

  const run = (what: Undoable): void => {
    if (rung !== 'undo') {
      setState(idle);
      setAsked(what);
      return;
    }
    if (isBusy.current) return;
    isBusy.current = true;
    what
      .act()
      .then(
        () => {
          tellUndoable(what);
        },
        (error: unknown) => {
          tellFailure(error, 'Failed');
        },
      )
      .finally(() => {
        isBusy.current = false;
      });
  };
  const confirm = (what: Undoable): void => {
    if (state.isPending === true) return;
    setState({ isPending: true, error: undefined });
    what.act().then(
      () => {
        setAsked(undefined);
        tellUndoable(what);
      },
      (error: unknown) => {
        setState({ isPending: false, error: sentencesOf(error), errorTitle: failureTitle(error) });
      },
    );
  };
  return {
    run,
    question: asked && (
      <ConfirmDialog
        isOpen
        onOpenChange={(isOpen) => {
          if (!isOpen && state.isPending !== true) setAsked(undefined);
        }}
        title={asked.title}
        confirmLabel={asked.confirmLabel}
        impacts={asked.impacts}
        {...asks}
        {...state}
        onConfirm={() => {
          confirm(asked);
        }}
      />
    ),
  };
}

const idle = { isPending: false, error: undefined };
