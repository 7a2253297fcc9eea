import type { RunProvider } from '@gatehouse/api-types/console/publish';
import type { Sending } from '#lib/uploads/sending.ts';
import { rateOf } from '#lib/uploads/transfer-rate.ts';

/** The part of a provider that the forecast needs. */
type Part = Pick<RunProvider, 'upload'>;

/**
 * Forecasts whether a token expires before all uploads are delivered. Files share one connection, so their remaining
 * bytes add up; delivery to the registry is assumed to be as fast as the upload.
 * @param leftMs the token's remaining lifetime
 * @returns undefined if it lasts, or no rate is known yet
 */
export function tokenForecast(
  providers: readonly Part[],
  sendings: readonly Sending[],
  leftMs: number,
): { readonly neededMs: number; readonly leftMs: number } | undefined {
  let rest = 0;
  let rate = 0;
  let longest = 0;
  for (const { upload } of providers) {
    if (upload?.state !== 'receiving') continue;
    const sending = sendings.find(({ id }) => id === upload.id);
    rest += upload.file.size - Math.max(upload.received, sending?.sent ?? 0);
    rate += sending?.state === 'sending' ? (rateOf(sending.samples) ?? 0) : 0;
    longest = Math.max(longest, upload.file.size);
  }
  if (rate === 0) return undefined;
  const neededMs = ((rest + longest) / rate) * 1000;
  return neededMs > leftMs ? { neededMs, leftMs } : undefined;
}
