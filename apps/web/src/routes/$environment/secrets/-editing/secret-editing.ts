import { createContext, useContext, type RefObject } from 'react';

/** What the editor of a secret's fields and the form around it know of each other. */
export interface SecretEditing {
  readonly mode: EditMode;
  readonly onModeChange: (mode: EditMode) => void;
  /** Values may not be read: fields are set, not changed. */
  readonly isWriteOnly: boolean;
  /** Not even the names of fields may be read: what the form holds are the fields that were named in it. */
  readonly isBlind: boolean;
  /** The text of the JSON editor; null where it was not used. What it says is saved as it stands. */
  readonly exactText: RefObject<string | null>;
  /** What is wrong with the text of the JSON editor, which then is not what the form holds. */
  readonly textProblem: TextProblem | undefined;
  readonly onTextProblem: (problem: TextProblem | undefined) => void;
  /** How often values that somebody else wrote came into what is not saved yet: each time all is masked first. */
  readonly othersRound: number;
  /** Raised with each attempt to save a text that is no JSON: focus goes to it. */
  readonly refusedSaves: number;
}

export type EditMode = 'fields' | 'json';

export interface TextProblem {
  readonly message: string;
  /** In UTF-16 units. */
  readonly offset: number;
}

export const SecretEditingContext = createContext<SecretEditing | null>(null);

/** @throws Error outside of the form of a secret */
export function useSecretEditing(): SecretEditing {
  const editing = useContext(SecretEditingContext);
  if (editing === null) throw new Error("A secret's fields can only be edited in its form.");
  return editing;
}
