/** ISO 8601 with milliseconds and Z. @param ms milliseconds since the epoch */
export function wireTime(ms: number): string {
  return new Date(ms).toISOString();
}
