import type { ServiceRequest } from '../transport.ts';

/** Characters of a reason that are read and shown. */
const shownLength = 300;
/** Characters in a row of a value that count as repeating it, and the length of a value that is found by itself. */
const repeatedLength = 8;
const leastLength = 3;
/** Characters of values that are compared: more would keep everybody waiting, and then no reason is shown. */
const comparedLength = 256 * 1024;

/**
 * What a server gave as its reason, as a sentence of text for the person who sent the request; empty where it gave none.
 * Whatever it repeats of values that were sent is left out, and so are tokens: they may be secret.
 */
export function quoted(text: string, request: Pick<ServiceRequest, 'body' | 'text'>): string {
  const reason = text
    // The frame that servers put around one or several errors.
    .replaceAll(/\d+ errors? occurred:/g, ' ')
    .replaceAll(/^\s*\* /gm, ' ')
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
    .replaceAll(/\b(?:hv[sbr]|[sbr])\.[\w-]{20,}/g, '…');
  if (reason === '') return '';
  const sent: unknown = request.text === undefined ? request.body : JSON.parse(request.text);
  const values = valuesOf(sent);
  if (values.reduce((sum, { length }) => sum + length, 0) > comparedLength) return '';
  const shown = withoutValues(reason.slice(0, shownLength), values);
  return ` It said: “${shown}${reason.length > shownLength ? '…' : ''}”`;
}

function valuesOf(sent: unknown): string[] {
  if (typeof sent === 'string') return sent.length < leastLength ? [] : [sent];
  return typeof sent === 'object' && sent !== null ? Object.values(sent).flatMap(valuesOf) : [];
}

/** Leaves out every part of a text that is a value, or some characters in a row of one. */
function withoutValues(text: string, values: readonly string[]): string {
  const hidden = new Set<number>();
  for (const value of values) {
    const length = Math.min(value.length, repeatedLength);
    for (let at = 0; at + length <= text.length; at++) {
      if (!value.includes(text.slice(at, at + length))) continue;
      for (let place = at; place < at + length; place++) hidden.add(place);
    }
  }
  return Array.from(text.split(''), (character, at) => (hidden.has(at) ? '\0' : character))
    .join('')
    .replaceAll(/\0+/g, '…');
}
