/** Whether changes of metadata must name the metadata that they follow on, for a card; nothing of a server without it. */
export function metadataCasItems(
  { metadata_cas_required: isRequired }: { readonly metadata_cas_required: boolean | null },
  otherwise: string,
): readonly { readonly label: string; readonly value: string }[] {
  return isRequired === null
    ? []
    : [{ label: 'Metadata check-and-set', value: isRequired ? 'Required' : otherwise }];
}
