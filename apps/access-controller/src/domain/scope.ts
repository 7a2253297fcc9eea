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
