import { globalScopeId } from '../domain/scope.ts';
import type { Context } from './context.ts';
import { scopeSummaries } from './wire/scope.ts';
import type { WireScopeSummary } from './wire/scope.ts';

/** The summary of the global scope, which contains users, tokens and auth methods. */
export function globalSummary(context: Context): WireScopeSummary {
  return scopeSummaries(context.scopes)(globalScopeId);
}
