/**
 * Memory that one connection may take, in megabytes. Node refuses calls beyond ten of them, and a record that is larger than
 * that would end every connection on which it is sent.
 */
export const sessionMegabytes = 256;

/** How often both sides of a link say that they are there, in milliseconds, unless they are told otherwise. */
export const heartbeatDefaultMs = 5000;

/**
 * How long a secondary may take to read a message, in milliseconds: a snapshot is read from one moment of the store, which
 * grows as long as it is held.
 */
export const drainDefaultMs = 60_000;
