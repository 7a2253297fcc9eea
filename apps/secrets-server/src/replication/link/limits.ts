/**
 * The maximum memory per connection in megabytes. Node's default of ten would refuse calls, and close every connection
 * over which a larger record is sent.
 */
export const sessionMegabytes = 256;

/** The header of a forwarded write with the owner whose turn it takes; it arrives before a large message is read. */
export const ownerHeader = 'gatehouse-owner';

/** The default interval of heartbeats in both directions, in milliseconds. */
export const heartbeatDefaultMs = 5000;

/**
 * The maximum size of a call in bytes: a forwarded write is an API request of at most 32 MiB plus data about its
 * caller.
 */
export const mostRequestBytes = 33 * 2 ** 20;

/** The maximum size of a primary's message in bytes: an entry has a large value and the writes committed with it. */
export const mostAnswerBytes = 64 * 2 ** 20;

/**
 * The maximum size of a message without records, in bytes. The longest contains a history, with about 60 bytes per
 * epoch.
 */
export const mostShortBytes = 64 * 1024;

/** The maximum number of a primary's cluster addresses, which are tried one after the other. */
export const mostAddresses = 16;

/**
 * How long a secondary may take to read a message, in milliseconds. A snapshot holds a read transaction, during which
 * the database file grows.
 */
export const drainDefaultMs = 60_000;
