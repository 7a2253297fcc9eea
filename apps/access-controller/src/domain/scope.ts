/** Kinds of scopes: the one global scope holds organisations, and these hold projects. */
export type ScopeType = 'global' | 'org' | 'project';

/** A scope. */
export interface Scope {
  /** `global`, or `o_…` or `p_…`. */
  readonly id: string;
  readonly type: ScopeType;
  /** Empty for the global scope. */
  readonly parentId: string;
  readonly name: string;
  readonly description: string;
  /** Milliseconds since the epoch. */
  readonly createdTime: number;
  /** Milliseconds since the epoch. */
  readonly updatedTime: number;
  readonly version: number;
}

/** Id of the scope that contains all others. */
export const globalScopeId = 'global';

/** The prefix of ids of the scopes that a scope of this type holds; undefined when it holds none. */
export function childPrefix(parent: ScopeType): 'o' | 'p' | undefined {
  switch (parent) {
    case 'global':
      return 'o';
    case 'org':
      return 'p';
    case 'project':
      return undefined;
  }
}

/** The type of the scopes that a scope of this type holds. */
export function childType(parent: 'global' | 'org'): 'org' | 'project' {
  return parent === 'global' ? 'org' : 'project';
}
