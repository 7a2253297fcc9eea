import type { ScopeSummary } from '@gatehouse/api-types/console/scopes';
import { globalScope } from '#queries/global-scope.ts';

/** The name of a scope; `Global`, or its ID, if it has none. */
export function scopeName({ id, name }: Pick<ScopeSummary, 'id' | 'name'>): string {
  if (name !== '') return name;
  return id === globalScope ? 'Global' : id;
}
