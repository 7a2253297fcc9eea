import { PairsEditor } from '#components/form/PairsEditor.tsx';
import type { MapEditorProps } from '#components/form/record-form.ts';

/** Keys of custom metadata at most. */
const customMetadataLimit = 64;

/** Custom metadata in a form. */
export function MetadataEditor(props: MapEditorProps) {
  return (
    <PairsEditor
      {...props}
      description="What users and tools should know about the secret. Everyone who can read the metadata sees this, so don't put secrets here."
      limit={customMetadataLimit}
    />
  );
}
