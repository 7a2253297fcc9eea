/** A session request by the target's name: its body, command and HTTP request. */
import { curlCommand, shellCommand, shellWord, type CodeForms } from '#components/form/as-code.ts';
import type { NamedTarget } from '#queries/access-sessions.ts';

/** The form's values. */
export interface ByNameFields {
  readonly name: string;
  readonly scopeBy: 'id' | 'name';
  readonly scope: string;
  /** If empty, the controller chooses. */
  readonly host: string;
}

export type ByNameProblems = Partial<Record<'name' | 'scope' | 'host', string>>;

/** The problems to fix before sending. */
export function problemsOf({ name, scope, scopeBy }: ByNameFields): ByNameProblems {
  return {
    ...(name.trim() === '' && { name: "Enter the target's name." }),
    ...(scope.trim() === '' && { scope: `Enter the project's ${scopeBy}.` }),
  };
}

export function bodyOf({ name, scopeBy, scope, host }: ByNameFields): NamedTarget {
  return {
    name: name.trim(),
    ...(scopeBy === 'id' ? { scope_id: scope.trim() } : { scope_name: scope.trim() }),
    ...(host.trim() !== '' && { host_id: host.trim() }),
  };
}

/** The controller's errors, by form field. */
export function problemsFrom(
  fields: readonly { readonly path: string; readonly message: string }[],
): ByNameProblems {
  const message = (...paths: readonly string[]): string | undefined =>
    fields.find(({ path }) => paths.includes(path))?.message;
  const name = message('name', 'id');
  const scope = message('scope_id', 'scope_name');
  const host = message('host_id');
  return {
    ...(name !== undefined && { name }),
    ...(scope !== undefined && { scope }),
    ...(host !== undefined && { host }),
  };
}

export function byNameAsCode(fields: ByNameFields): CodeForms {
  const body = bodyOf(fields);
  const { name, ...rest } = body;
  return {
    cli: shellCommand('boundary targets authorize-session', [
      `-name=${shellWord(name)}`,
      ...Object.entries(rest)
        .filter(([, value]) => value !== '')
        .map(([key, value]) => `-${key.replaceAll('_', '-')}=${shellWord(value)}`),
    ]),
    http: curlCommand({
      addressVariable: 'BOUNDARY_ADDR',
      tokenVariable: 'BOUNDARY_TOKEN',
      method: 'POST',
      path: `/v1/targets/${encodeURIComponent(name)}:authorize-session`,
      body,
    }),
  };
}
