/** Decodes a part of an address; unchanged if its escapes are malformed. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
