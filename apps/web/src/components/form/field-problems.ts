import type * as z from 'zod/mini';

/** The problem of each field, by dotted path. */
export type FieldProblems = Readonly<Record<string, string>>;

/** Validates input against a contract's schema. @returns an empty record if valid */
export function problemsOf(schema: z.ZodMiniType, value: unknown): FieldProblems {
  const result = schema.safeParse(value);
  if (result.success) return {};
  const problems: Record<string, string> = {};
  for (const { path, message } of result.error.issues) problems[path.join('.')] ??= message;
  return problems;
}

/** Focuses the first invalid field of a form after the next render. */
export function focusFirstProblem(form: HTMLElement | null): void {
  requestAnimationFrame(() => {
    form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  });
}
