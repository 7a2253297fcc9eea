/** Formats a time as Vault does: RFC 3339 in UTC with nanoseconds. @param ms milliseconds since the epoch */
export function wireTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, -1)}000000Z`;
}
