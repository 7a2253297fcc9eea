import { useRef, useState } from 'react';
import type { RecordForm } from '#components/form/use-record-form.ts';
import { mayAskBeforeLeaving } from '#lib/dirty-guard.ts';
import type { SecretValues } from '../-fields/secret-values.ts';
import type { EditMode, SecretEditing, TextProblem } from './secret-editing.ts';

/** The state shared by the fields' editor and the form around it. */
export function useSecretEditing(isBlind = false): Omit<SecretEditing, 'othersRound' | 'read'> & {
  refuse: () => void;
} {
  const [mode, setMode] = useState<EditMode>('fields');
  const [textProblem, setTextProblem] = useState<TextProblem>();
  const [refusedSaves, setRefusedSaves] = useState(0);
  const exactText = useRef<string | null>(null);
  return {
    mode,
    onModeChange: (next) => {
      // Invalid JSON can't be shown as fields.
      if (textProblem === undefined) setMode(next);
      else setRefusedSaves((count) => count + 1);
    },
    isBlind,
    exactText,
    textProblem,
    onTextProblem: setTextProblem,
    refusedSaves,
    refuse: () => {
      setRefusedSaves((count) => count + 1);
    },
  };
}

/** How often someone else's values came into an unsaved edit. */
export function othersRoundOf({ conflict }: Pick<RecordForm<SecretValues>, 'conflict'>): number {
  return conflict.kind === 'changed' ? conflict.round : 0;
}

/** Blocks saving while the JSON editor's text is invalid, and asks before leaving so that it isn't lost. */
export function guardedForm<Values extends SecretValues>(
  form: RecordForm<Values>,
  { textProblem, refuse }: Pick<ReturnType<typeof useSecretEditing>, 'textProblem' | 'refuse'>,
): RecordForm<Values> {
  if (textProblem === undefined) return form;
  return {
    ...form,
    save: refuse,
    unsaved: Math.max(form.unsaved, 1),
    wouldLose: mayAskBeforeLeaving,
  };
}
