import type * as z from 'zod/mini';

/** What is wrong with each field, by its path with dots. */
export type FieldProblems = Readonly<Record<string, string>>;

/** Checks what was typed against a schema of the contract. @returns nothing wrong: an empty record */
export function problemsOf(schema: z.ZodMiniType, value: unknown): FieldProblems {
  const result = schema.safeParse(value);
  if (result.success) return {};
  const problems: Record<string, string> = {};
  for (const { path, message } of result.error.issues) problems[path.join('.')] ??= message;
  return problems;
}

/** Focuses the first field of a form that is marked as invalid, once that is drawn. */
export function focusFirstProblem(form: HTMLElement | null): void {
  requestAnimationFrame(() => {
    form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  });
}
