/** Where cloud credentials engines and their roles are shown. A name is one segment of the address, encoded once. */

/** A role of a cloud credentials engine. */
export function cloudRoleHref({
  environment,
  mount,
  role,
}: {
  readonly environment: string;
  readonly mount: string;
  readonly role: string;
}): string {
  return `/${environment}/cloud/${encodeURIComponent(mount)}/roles/${encodeURIComponent(role)}`;
}
