export function idOf({ id }: { readonly id: string }): string {
  return id;
}
