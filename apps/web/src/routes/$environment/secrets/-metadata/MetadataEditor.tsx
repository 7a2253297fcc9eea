import { PairsEditor } from '#components/form/PairsEditor.tsx';
import type { MapEditorProps } from '#components/form/record-form.ts';

/** The maximum number of custom metadata keys. */
const customMetadataLimit = 64;

/** Edits custom metadata in a form. */
export function MetadataEditor(props: MapEditorProps) {
  return (
    <PairsEditor
      {...props}
      description="What users and tools should know about the secret. Everyone who can read the metadata sees this, so don't put secrets here. A date such as 2026-12-31 as the value of expires or rotate_by appears on Overview 30 days ahead."
      limit={customMetadataLimit}
    />
  );
}
