/**
 * JSON without the spaces between its signs; everything else stays byte for byte.
 * @returns undefined when the text is not a JSON object
 */
export function compactDocument(text: string): string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return text.replaceAll(/("(?:[^"\\]|\\.)*")|\s+/g, (_, quoted: string | undefined) => quoted ?? '');
}

/**
 * One document with the statements of all; a single one stays as it is, and none is undefined.
 * @param documents JSON objects
 */
export function combineDocuments(documents: readonly string[]): string | undefined {
  const [first, ...others] = documents;
  if (others.length === 0) return first;
  const statements = documents.flatMap((document): unknown => {
    const { Statement = [] } = JSON.parse(document) as { readonly Statement?: unknown };
    return Statement;
  });
  return JSON.stringify({ Version: '2012-10-17', Statement: statements });
}
