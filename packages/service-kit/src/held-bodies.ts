import type { IncomingMessage } from 'node:http';

/** Bytes of one owner's unfinished bodies in memory above which only the oldest of them is read, in this process. */
const mostBytes = 8 * 1024 * 1024;
/** Bodies up to this size, in bytes, never wait: a save must not wait for an import. */
const smallBytes = 64 * 1024;

interface Held {
  bytes: number;
  /** The unfinished bodies, oldest first. */
  readonly requests: Set<IncomingMessage>;
}

const byOwner = new Map<string, Held>();

/**
 * Counts the bytes of a body that is kept in memory until its end. While its owner's bodies hold too much, large ones
 * except the oldest are paused. Without this, bodies that stall would fill the memory.
 * @param owner the account, or the address of a stranger
 * @returns `took` is called with each piece's bytes, `end` once the body ended or is given up
 */
export function heldBody(owner: string, req: IncomingMessage) {
  const held: Held = byOwner.get(owner) ?? { bytes: 0, requests: new Set() };
  byOwner.set(owner, held);
  held.requests.add(req);
  let own = 0;
  return {
    took(bytes: number): void {
      own += bytes;
      held.bytes += bytes;
      const [oldest] = held.requests;
      if (held.bytes > mostBytes && own > smallBytes && oldest !== req) req.pause();
    },
    end(): void {
      if (!held.requests.delete(req)) return;
      held.bytes -= own;
      if (held.requests.size === 0) byOwner.delete(owner);
      const [oldest] = held.requests;
      if (held.bytes <= mostBytes) for (const each of held.requests) each.resume();
      else oldest?.resume();
    },
  };
}
