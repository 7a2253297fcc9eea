import { createContext, useContext, type RefObject } from 'react';

/** The state shared by the editor of a secret's fields and the form around it. */
export interface SecretEditing {
  readonly mode: EditMode;
  readonly onModeChange: (mode: EditMode) => void;
  /**
   * Reads the named fields' values, or all, into the form, which Activity records as a reveal. False if that failed,
   * which a toast reports. Undefined if values can't be read: fields can be set, not edited.
   */
  readonly read: ((names?: readonly string[]) => Promise<boolean>) | undefined;
  /** Field names can't be read either: the form contains only the fields you named. */
  readonly isBlind: boolean;
  /** The JSON editor's text, which is saved as written; null if it wasn't used. */
  readonly exactText: RefObject<string | null>;
  /** What is wrong with the JSON editor's text; the form then still has the last valid one. */
  readonly textProblem: TextProblem | undefined;
  readonly onTextProblem: (problem: TextProblem | undefined) => void;
  /** How often someone else's values came into the unsaved form; each time, everything is masked first. */
  readonly othersRound: number;
  /** Increases with each attempt to save invalid JSON, to focus the editor. */
  readonly refusedSaves: number;
}

export type EditMode = 'fields' | 'json';

export interface TextProblem {
  readonly message: string;
  /** In UTF-16 units. */
  readonly offset: number;
}

export const SecretEditingContext = createContext<SecretEditing | null>(null);

/** @throws Error outside a secret's form */
export function useSecretEditing(): SecretEditing {
  const editing = useContext(SecretEditingContext);
  if (editing === null) throw new Error("A secret's fields can only be edited in its form.");
  return editing;
}
