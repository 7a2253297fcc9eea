import type { Path } from './findings.ts';

/** A path as a JSON Pointer (RFC 6901): `['labels', 'a/b']` is `/labels/a~1b`; the record itself is an empty string. */
export function pointer(path: Path): string {
  return path.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
