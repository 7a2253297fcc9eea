import { PairsEditor } from '#components/form/PairsEditor.tsx';
import type { MapEditorProps } from '#components/form/record-form.ts';

/** Tags of a user at the provider at most. */
const tagLimit = 50;

/** The tags of the users that a role makes. */
export function TagsEditor(props: MapEditorProps) {
  return (
    <PairsEditor
      {...props}
      description="Applied to each user, for cost reports and policies."
      limit={tagLimit}
    />
  );
}
