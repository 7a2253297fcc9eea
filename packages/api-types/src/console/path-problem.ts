/** The format of secret paths, without a schema. */

/** Most characters of a path, including slashes. */
const pathLimit = 1024;

/**
 * A message about what is wrong with a path of names separated by slashes; undefined if it is valid. Percent signs,
 * quotes, backslashes and spaces in names are ordinary characters.
 */
export function pathProblem(path: string): string | undefined {
  if (path.length > pathLimit) return `A path must be ${pathLimit} characters or fewer.`;
  if (path.startsWith('/') || path.endsWith('/')) return "A path can't begin or end with a slash.";
  if (!path.isWellFormed()) return 'The path is not well-formed Unicode.';
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  if (/[\u0000-\u001f\u007f]/.test(path)) return "A path can't contain line breaks or control characters.";
  for (const name of path.split('/')) {
    if (name === '') return 'Two slashes in a row: a name between them is missing.';
    if (name === '.' || name === '..') return `A path can't contain "${name}" as a name.`;
  }
  return undefined;
}
