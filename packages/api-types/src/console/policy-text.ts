/** Policy documents as text: spaced out to be read, and without space as they are sent. No value of one is ever changed. */

/** Levels of objects and lists in a policy document at most; IAM has no more than seven. */
export const policyNesting = 32;

/** How deep objects and lists are nested in a JSON text. */
export function nestingOf(text: string): number {
  let [depth, most] = [0, 0];
  for (const [part] of text.matchAll(/"(?:[^"\\]|\\.)*"?|[[\]{}]/gs)) {
    if (part === '{' || part === '[') most = Math.max(most, ++depth);
    else if (part === '}' || part === ']') depth--;
  }
  return most;
}

/** A JSON text without the space between its parts; of anything else something else. */
export function compactPolicy(text: string): string {
  return text.replaceAll(/("(?:[^"\\]|\\.)*"?)|[ \t\n\r]+/gs, '$1');
}

/**
 * The value of a policy document whose text it stands for; undefined of what is no JSON, is nested too deep, or would be
 * another text when it is printed (a member that is listed twice, a number that no number of JavaScript holds).
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

/** A policy document to be read: each statement on lines of its own. What can't be printed faithfully stays as it is. */
export function prettyPolicy(text: string): string {
  const value = policyValue(text);
  return value === undefined ? text : JSON.stringify(value, null, 2);
}
