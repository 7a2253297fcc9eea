/**
 * Memory that one connection may take, in megabytes. Node refuses calls beyond ten of them, and a record that is larger than
 * that would end every connection on which it is sent.
 */
export const sessionMegabytes = 256;

/** How often both sides of a link say that they are there, in milliseconds, unless they are told otherwise. */
export const heartbeatDefaultMs = 5000;

/** Most bytes of a call: a write that is passed on is a request of the API, 32 MB at most, with what is known of its sender. */
export const mostRequestBytes = 33 * 2 ** 20;

/** Most bytes of a message from a primary: an entry has a large value and what was written with it. */
export const mostAnswerBytes = 64 * 2 ** 20;

/** Most bytes of a message without records: the longest names the primaries of a cluster's history, 60 bytes each. */
export const mostShortBytes = 64 * 1024;

/** Most cluster addresses of a primary: they are asked one after the other. */
export const mostAddresses = 16;

/**
 * How long a secondary may take to read a message, in milliseconds: a snapshot is read from one moment of the store, which
 * grows as long as it is held.
 */
export const drainDefaultMs = 60_000;
