import type { ScopeSummary } from '@gatehouse/api-types/console/scopes';
import { globalScope } from '#queries/global-scope.ts';

/** A scope as people call it: its name, else what it is, else its id. */
export function scopeName({ id, name }: Pick<ScopeSummary, 'id' | 'name'>): string {
  if (name !== '') return name;
  return id === globalScope ? 'Global' : id;
}
