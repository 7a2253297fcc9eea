/** Whether the server would run a plugin, as far as known: servers report it only for single registrations. */
import type { Plugin, PluginSummary } from '@gatehouse/api-types/console/plugins';

/** The state from reading a registration, or why it couldn't be read. */
export type KnownState = Plugin['state'] | 'denied' | 'failed';

export interface ReadState {
  /** Undefined until read. */
  readonly state: KnownState | undefined;
  /** When it was read; 0 if not yet. */
  readonly at: number;
}

/** The states of registrations by ID. */
export type ReadStates = ReadonlyMap<string, ReadState>;

/** Whether a plugin's state must be read: a built-in one always runs, unless it is shadowed. */
export const isStateRead = ({ builtin }: Pick<PluginSummary, 'builtin'>): boolean => !builtin;

/** A plugin's state; undefined until read, null for a built-in plugin that another one replaces. */
export function stateOf(
  { id, builtin, shadowed }: Pick<PluginSummary, 'id' | 'builtin' | 'shadowed'>,
  states: ReadStates,
): KnownState | undefined | null {
  if (builtin) return shadowed ? null : 'runs';
  return states.get(id)?.state;
}

/** The IDs whose state is older than the list. */
export function unreadOf(states: ReadStates, since: number): readonly string[] {
  return [...states].filter(([, { at }]) => at < since).map(([id]) => id);
}
