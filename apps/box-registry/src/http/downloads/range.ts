import type { ByteRange } from '@gatehouse/service-kit/object-store/object-store';

/**
 * The one range that a `Range` header asks for, within `size` bytes. Undefined: the whole image is answered, as for
 * several ranges, for units that are not bytes and for what is not well-formed (RFC 9110, 14.2).
 */
export function parseRange(
  header: string | undefined,
  size: number,
): ByteRange | 'unsatisfiable' | undefined {
  const match = /^bytes=([0-9]*)-([0-9]*)$/i.exec(header?.trim() ?? '');
  if (match === null) return undefined;
  const [, first = '', last = ''] = match;
  if (first === '') {
    if (last === '') return undefined;
    const length = Math.min(Number(last), size);
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 };
  }
  const start = Number(first);
  if (last !== '' && Number(last) < start) return undefined;
  if (start >= size) return 'unsatisfiable';
  return { start, end: last === '' ? size - 1 : Math.min(Number(last), size - 1) };
}
