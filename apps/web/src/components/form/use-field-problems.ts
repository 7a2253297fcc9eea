import { useEffect, useRef, useState, type RefObject } from 'react';
import { mayMoveFocus, watchFocus } from '#lib/focus.ts';
import type { FieldProblems } from './field-problems.ts';

export interface ShownProblems<Form extends HTMLElement> {
  readonly problems: FieldProblems;
  /** For the element that the fields are in. */
  readonly form: RefObject<Form | null>;
  /** Shows what the page found as the form is sent, and focuses the first field that has one. @returns whether there are any */
  readonly refuse: (found: FieldProblems) => boolean;
  /** Shows what the server found, and moves the focus unless the user has moved on. @returns whether there are any */
  readonly refuseAnswer: (found: FieldProblems) => boolean;
  /** Takes away the problem of a field, or all of them. */
  readonly clear: (path?: string) => void;
}

/** The problems of a small form, whoever found them: the page, or the server a while later. */
export function useFieldProblems<Form extends HTMLElement>(): ShownProblems<Form> {
  const [problems, setProblems] = useState<FieldProblems>({});
  const form = useRef<Form>(null);
  const isRefused = useRef(false);
  useEffect(() => {
    if (!isRefused.current) return;
    isRefused.current = false;
    if (!mayMoveFocus()) return;
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-invalid="true"] button')?.focus();
  }, [problems]);
  const refuseAnswer = (found: FieldProblems): boolean => {
    isRefused.current = Object.keys(found).length > 0;
    setProblems(found);
    return isRefused.current;
  };
  return {
    problems,
    form,
    refuse: (found) => {
      watchFocus();
      return refuseAnswer(found);
    },
    refuseAnswer,
    clear: (path) => {
      setProblems((found) =>
        path === undefined
          ? {}
          : Object.fromEntries(Object.entries(found).filter(([other]) => other !== path)),
      );
    },
  };
}
