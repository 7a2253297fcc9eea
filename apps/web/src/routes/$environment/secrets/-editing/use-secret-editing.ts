import { useRef, useState, type RefObject } from 'react';
import type { RecordForm } from '#components/form/use-record-form.ts';
import { mayAskBeforeLeaving } from '#lib/dirty-guard.ts';
import type { SecretValues } from '../-fields/secret-values.ts';
import type { EditMode, SecretEditing, TextProblem } from './secret-editing.ts';

/** The state that the editor of fields and the form around it share. `text` is the data as it is stored. */
export function useSecretEditing({
  text,
  isWriteOnly,
  isBlind = false,
}: {
  text: string | null;
  isWriteOnly: boolean;
  isBlind?: boolean;
}): Omit<SecretEditing, 'othersRound'> & {
  refuse: () => void;
  exactText: RefObject<string | null>;
} {
  const [mode, setMode] = useState<EditMode>('fields');
  const [textProblem, setTextProblem] = useState<TextProblem>();
  const [refusedSaves, setRefusedSaves] = useState(0);
  const exactText = useRef(text);
  return {
    mode,
    onModeChange: (next) => {
      // What is no JSON cannot be shown as fields.
      if (textProblem === undefined) setMode(next);
      else setRefusedSaves((count) => count + 1);
    },
    isWriteOnly,
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

/** How often somebody else's values came into an edit that is not saved yet. */
export function othersRoundOf({ conflict }: Pick<RecordForm<SecretValues>, 'conflict'>): number {
  return conflict.kind === 'changed' ? conflict.round : 0;
}

/** The form while the text of the JSON editor may be no JSON: such a text is neither saved nor lost. */
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
