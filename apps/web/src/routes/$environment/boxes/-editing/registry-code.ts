/** What is said below commands and requests of the registry. */
import { changesNote, codeSetUp, type CodeForms, type NewCode } from '#components/form/as-code.ts';

export function registryNote(hasChanges: boolean): string {
  return changesNote(hasChanges, codeSetUp.boxes);
}

/** How something of the registry is created without the console. */
export function newInRegistry(forms: CodeForms): NewCode {
  return { forms, setUp: codeSetUp.boxes };
}
