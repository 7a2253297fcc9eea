// A regular expression such as `/\/+$/` tries again from each slash of a run that isn't at the end, so 30,000 slashes
// would take a second.

/** Removes the slashes at both ends of a text. */
export function trimSlashes(text: string): string {
  let start = 0;
  while (text[start] === '/') start++;
  return trimEndSlashes(text.slice(start));
}

/** Removes the slashes at the end of a text. */
export function trimEndSlashes(text: string): string {
  let end = text.length;
  while (text[end - 1] === '/') end--;
  return text.slice(0, end);
}
