/** Whether metadata changes require check-and-set, for a card; empty for a server without that setting. */
export function metadataCasItems(
  { metadata_cas_required: isRequired }: { readonly metadata_cas_required: boolean | null },
  otherwise: string,
): readonly { readonly label: string; readonly value: string }[] {
  return isRequired === null
    ? []
    : [{ label: 'Metadata check-and-set', value: isRequired ? 'Required' : otherwise }];
}
