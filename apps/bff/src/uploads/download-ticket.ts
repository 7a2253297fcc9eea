/**
 * Addresses for downloads. A link that a browser follows can't carry the console's header, so each address is an
 * encrypted ticket for one image, one session and a short time.
 */
import { unknownArchitecture } from '@gatehouse/api-types/console/box-values';
import { SealBroken } from '@gatehouse/service-kit/secret-box';
import * as z from 'zod/mini';
import type { TokenSeal } from '#session/token-seal.ts';

/** The path of tickets. */
export const downloadsPath = '/download';

const ticket = z.object({
  place: z.object({
    environment: z.string(),
    username: z.string(),
    name: z.string(),
    version: z.string(),
    provider: z.string(),
    architecture: z.string(),
  }),
  /** Milliseconds since the epoch. */
  expires: z.number(),
});
export type DownloadTicket = z.output<typeof ticket>;

/** The file name of a downloaded image. */
export function boxFile({
  username,
  name,
  version,
  provider,
  architecture,
}: DownloadTicket['place']): string {
  const parts = [
    username,
    name,
    version,
    provider,
    ...(architecture === unknownArchitecture ? [] : [architecture]),
  ];
  return `${parts.join('-')}.box`;
}

const sealPlace = (sessionId: string) => ({ sessionId, environment: '', service: 'download' });

/** The ticket as one segment of a path. */
export function downloadTicket(seal: TokenSeal, sessionId: string, init: DownloadTicket): string {
  return Buffer.from(seal.seal(JSON.stringify(init), sealPlace(sessionId)), 'base64').toString('base64url');
}

/** @returns undefined for a ticket of another session, or an invalid one */
export function openTicket(seal: TokenSeal, sessionId: string, text: string): DownloadTicket | undefined {
  try {
    const sealed = Buffer.from(text, 'base64url').toString('base64');
    return z.parse(ticket, JSON.parse(seal.open(sealed, sealPlace(sessionId))));
  } catch (error) {
    if (error instanceof SealBroken) return undefined;
    throw error;
  }
}
