/** Policy documents as text: formatted for reading, and compact for sending. No value ever changes. */

/** Most levels of objects and lists in a policy document; IAM uses at most seven. */
export const policyNesting = 32;

/** The nesting depth of objects and lists in a JSON text. */
export function nestingOf(text: string): number {
  let [depth, most] = [0, 0];
  for (const [part] of text.matchAll(/"(?:[^"\\]|\\.)*"?|[[\]{}]/gs)) {
    if (part === '{' || part === '[') most = Math.max(most, ++depth);
    else if (part === '}' || part === ']') depth--;
  }
  return most;
}

/** Removes space between the tokens of a JSON text. The result is meaningless for other text. */
export function compactPolicy(text: string): string {
  return text.replaceAll(/("(?:[^"\\]|\\.)*"?)|[ \t\n\r]+/gs, '$1');
}

/**
 * The parsed value of a policy document; undefined if the text is not JSON, is nested too deeply, or would change when
 * printed again (a duplicate member, a number beyond JavaScript's precision).
 */
export function policyValue(text: string): unknown {
  if (nestingOf(text) > policyNesting) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return JSON.stringify(value) === compactPolicy(text) ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Formats a policy document with each statement on its own lines. Returns text unchanged that can't be printed
 * faithfully.
 */
export function prettyPolicy(text: string): string {
  const value = policyValue(text);
  return value === undefined ? text : JSON.stringify(value, null, 2);
}
