/** How often both sides of a link say that they are there, in milliseconds, unless they are told otherwise. */
export const heartbeatDefaultMs = 5000;
