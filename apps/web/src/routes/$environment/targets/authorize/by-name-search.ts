/** What the address says about a session that is asked for by name; every screen carries it, so it needs nothing. */

/** What the form begins with, so that a link can be kept or handed on. */
export interface ByNameSearch {
  readonly name?: string;
  /** The id of the scope. */
  readonly scope?: string;
  readonly scope_name?: string;
}

export function parseByNameSearch(search: Readonly<Record<string, unknown>>): ByNameSearch {
  const text = (name: string, pattern: RegExp): string | undefined => {
    const value = search[name];
    const written = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
    return typeof written === 'string' && pattern.test(written) ? written : undefined;
  };
  const name = text('name', /^.{1,512}$/su);
  const scope = text('scope', /^[A-Za-z0-9_]{1,64}$/);
  const scopeName = text('scope_name', /^.{1,512}$/su);
  return {
    ...(name !== undefined && { name }),
    ...(scope !== undefined && { scope }),
    ...(scopeName !== undefined && scope === undefined && { scope_name: scopeName }),
  };
}
