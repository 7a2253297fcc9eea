import { isIP } from 'node:net';

/** Whether an address or host name means this machine. */
export function isLoopback(host: string): boolean {
  if (host === 'localhost' || host === '' || host === '::1' || host === '[::1]') return true;
  return isIP(host) === 4 && host.startsWith('127.');
}
