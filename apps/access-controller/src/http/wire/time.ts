/** RFC 3339 in UTC, with fractions. @param time milliseconds since the epoch */
export function wireTime(time: number): string {
  return new Date(time).toISOString();
}
