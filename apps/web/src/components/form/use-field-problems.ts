import { useEffect, useRef, useState, type RefObject } from 'react';
import { mayMoveFocus, watchFocus } from '#lib/focus.ts';
import type { FieldProblems } from './field-problems.ts';

export interface ShownProblems<Form extends HTMLElement> {
  readonly problems: FieldProblems;
  /** Ref for the element that contains the fields. */
  readonly form: RefObject<Form | null>;
  /** Shows problems that the page found on submit, and focuses the first. @returns whether there are any */
  readonly refuse: (found: FieldProblems) => boolean;
  /**
   * Shows the server's problems, and moves the focus unless the user has moved on. @returns whether there are
   * any
   */
  readonly refuseAnswer: (found: FieldProblems) => boolean;
  /** Clears the problem of one field, or of all. */
  readonly clear: (path?: string) => void;
}

/** The problems of a small form, found by the page or later by the server. */
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
