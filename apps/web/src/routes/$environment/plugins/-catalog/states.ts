/** Whether a plugin would be run, as far as that is known: servers tell it when one registration is read. */
import type { Plugin, PluginSummary } from '@gatehouse/api-types/console/plugins';

/** What reading a registration told, or why it told nothing. */
export type KnownState = Plugin['state'] | 'denied' | 'failed';

export interface ReadState {
  /** Undefined until it is read. */
  readonly state: KnownState | undefined;
  /** When it was read; 0 before. */
  readonly at: number;
}

/** By the ids of the registrations that are read one by one. */
export type ReadStates = ReadonlyMap<string, ReadState>;

/** Whether the state of a plugin has to be read: what is built in is always run, or shadowed. */
export const isStateRead = ({ builtin }: Pick<PluginSummary, 'builtin'>): boolean => !builtin;

/** The state of a plugin; undefined until it is read, null where there is none: another is run in its place. */
export function stateOf(
  { id, builtin, shadowed }: Pick<PluginSummary, 'id' | 'builtin' | 'shadowed'>,
  states: ReadStates,
): KnownState | undefined | null {
  if (builtin) return shadowed ? null : 'runs';
  return states.get(id)?.state;
}

/** The ids whose state was not read since the list was. */
export function unreadOf(states: ReadStates, since: number): readonly string[] {
  return [...states].filter(([, { at }]) => at < since).map(([id]) => id);
}
