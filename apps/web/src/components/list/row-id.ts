/** The id of a row that has one. */
export function idOf({ id }: { readonly id: string }): string {
  return id;
}
