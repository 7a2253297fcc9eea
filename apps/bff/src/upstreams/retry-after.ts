/** The bounds of an accepted Retry-After header, and the default, in seconds. */
const shortest = 1;
const longest = 300;
const unsaid = 5;

/**
 * The seconds to wait by a Retry-After header (RFC 9110, 10.2.3), which holds seconds or a date, clamped to 1…300. An
 * unreadable header counts as 5.
 * @param now milliseconds since the epoch
 */
export function retryAfterSeconds(header: string | undefined, now: number): number {
  const text = header?.trim() ?? '';
  let seconds = unsaid;
  if (/^\d+$/.test(text)) seconds = Number(text);
  else if (/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)) {
    const at = Date.parse(text);
    if (!Number.isNaN(at)) seconds = Math.ceil((at - now) / 1000);
  }
  return Math.min(longest, Math.max(shortest, seconds));
}
