/** A mount as part of a request's path: its slashes stay. */
export function pathInCode(mount: string): string {
  return mount.split('/').map(encodeURIComponent).join('/');
}
