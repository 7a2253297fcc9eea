import type { IncomingMessage } from 'node:http';

/** Bytes of one owner's bodies in memory above which further ones wait, in this process. */
const mostBytes = 8 * 1024 * 1024;
/** Bodies up to this size, in bytes, never wait: a save must not wait for an import. */
const smallBytes = 64 * 1024;
/** Most paused bodies of one owner that continue at once: each has some 64 KiB that it hands over at once. */
const resumedAtOnce = 16;

interface Held {
  bytes: number;
  /** Bodies that have arrived and aren't parsed. */
  arrived: number;
  /** Requests with unfinished bodies, oldest first. */
  readonly unfinished: Set<IncomingMessage>;
}

const byOwner = new Map<string, Held>();

/**
 * Counts the bytes of a body that is kept in memory until it is parsed. While its owner's bodies hold too much, large
 * ones are paused; if none of them has arrived, the oldest continues. Without this, bodies that stall, or that wait for
 * their turn to be parsed, would fill the memory.
 * @param owner the account, or the address of a stranger
 * @returns `took` is called with each piece's bytes, `end` once the body has arrived, and `release` when it is given up
 *   or isn't needed any more
 */
export function heldBody(owner: string, req: IncomingMessage) {
  const held: Held = byOwner.get(owner) ?? { bytes: 0, arrived: 0, unfinished: new Set() };
  byOwner.set(owner, held);
  held.unfinished.add(req);
  let own = 0;
  let isReleased = false;
  const isNext = (): boolean => held.arrived === 0 && held.unfinished.values().next().value === req;
  /** @param size of the body, as far as it is known */
  const mayWait = (size: number): void => {
    if (held.bytes > mostBytes && size > smallBytes && !isNext()) req.pause();
  };
  const goOn = (): void => {
    const most = held.bytes <= mostBytes ? resumedAtOnce : held.arrived === 0 ? 1 : 0;
    for (const each of held.unfinished.values().take(most)) each.resume();
  };
  mayWait(Number(req.headers['content-length'] ?? 0));
  return {
    took(bytes: number): void {
      own += bytes;
      held.bytes += bytes;
      mayWait(own);
    },
    end(): void {
      held.unfinished.delete(req);
      held.arrived += 1;
      goOn();
    },
    release(): void {
      if (isReleased) return;
      isReleased = true;
      held.bytes -= own;
      if (!held.unfinished.delete(req)) held.arrived -= 1;
      if (held.unfinished.size === 0 && held.arrived === 0) byOwner.delete(owner);
      goOn();
    },
  };
}
