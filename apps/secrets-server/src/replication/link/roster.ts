import { Code, ConnectError } from '@connectrpc/connect';
import { createFollower } from './follower.ts';
import type { Follower } from './follower.ts';
import type { SecondaryRecord, SecondaryState, ServeOptions } from './types.ts';

export type Roster = ReturnType<typeof rosterOf>;

/** Starts without secondaries. */
export function rosterOf({
  store,
  book,
  clock,
  log,
  heartbeatMs,
  deadlineMs = 4 * heartbeatMs,
}: ServeOptions & { readonly heartbeatMs: number }) {
  const followers = new Map<string, Follower>();
  const open = new Map<Follower, PromiseWithResolvers<void>>();
  const saving = new Set<Promise<void>>();

  const save = async (record: SecondaryRecord): Promise<void> => {
    try {
      if (book.get(record.id) !== undefined) await book.save(record);
    } catch (error) {
      log.warn("secondary's heartbeat not recorded", { error });
    }
  };
  const keep = (record: SecondaryRecord): void => {
    const saved = save(record).finally(() => saving.delete(saved));
    saving.add(saved);
  };

  return {
    /**
     * Begins a secondary's stream and ends an older one of the same secondary.
     * @param close closes the stream
     * @param signal aborted when the stream is closed
     */
    join(record: SecondaryRecord, close: () => void, signal: AbortSignal): Follower {
      const { id } = record;
      const follower = createFollower({ record, clock, heartbeatMs, deadlineMs, close });
      const leave = (): void => follower.end(new ConnectError('it left', Code.Canceled));
      followers.get(id)?.end(new ConnectError('a newer connection took its place', Code.Aborted));
      followers.set(id, follower);
      open.set(follower, Promise.withResolvers());
      signal.addEventListener('abort', leave);
      if (signal.aborted) leave();
      log.info('secondary connected', { resourceId: id });
      return follower;
    },
    /** Notes that a stream has ended. */
    leave(follower: Follower): void {
      const { id, lastHeartbeat } = follower.record;
      follower.release();
      if (followers.get(id) === follower) {
        followers.delete(id);
        if (lastHeartbeat !== undefined) keep(follower.record);
      }
      open.get(follower)?.resolve();
      open.delete(follower);
      log.info('secondary disconnected', { resourceId: id });
    },
    /** Removes a secondary at once, even if its stream has not ended yet. */
    dismiss(id: string): void {
      const follower = followers.get(id);
      if (follower === undefined) return;
      followers.delete(id);
      if (follower.record.lastHeartbeat !== undefined) keep(follower.record);
      follower.end(new ConnectError('it left', Code.Canceled));
    },
    of: (id: string): Follower | undefined => followers.get(id),
    /** Saves a secondary's record. */
    keep,
    /** Notifies all secondaries of new entries. */
    notifyAll: (): void => {
      for (const follower of followers.values()) follower.notify();
    },
    endAll(error: ConnectError): void {
      for (const follower of followers.values()) follower.end(error);
    },
    states(): readonly SecondaryState[] {
      const { seq } = store.position();
      return [...followers.values()].map((follower) => follower.state(clock.now(), seq));
    },
    /** Waits until all ended streams have closed and all records are saved. */
    async settled(): Promise<void> {
      await Promise.all([...open.values()].map(({ promise }) => promise));
      await Promise.all(saving);
    },
  };
}
