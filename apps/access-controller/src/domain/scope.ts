/** The global scope contains organizations, which contain projects. */
export type ScopeType = 'global' | 'org' | 'project';

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

export const globalScopeId = 'global';

/** The ID prefix of the scopes that a scope of this type contains; undefined for a project. */
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

/** The type of the scopes that a scope of this type contains. */
export function childType(parent: 'global' | 'org'): 'org' | 'project' {
  return parent === 'global' ? 'org' : 'project';
}
