import { PairsEditor } from '#components/form/PairsEditor.tsx';
import type { MapEditorProps } from '#components/form/record-form.ts';

/** The provider's maximum number of tags on a user or session. */
const tagLimit = 50;

/** The tags of a role's IAM users. */
export function TagsEditor(props: MapEditorProps) {
  return (
    <PairsEditor
      {...props}
      description="Applied to each IAM user, so that cost reports and policies can refer to them."
      limit={tagLimit}
    />
  );
}

/** The tags of a role's sessions. */
export function SessionTagsEditor(props: MapEditorProps) {
  return (
    <PairsEditor
      {...props}
      description="Sent when a role is assumed. The roles' trust policies must allow sts:TagSession."
      limit={tagLimit}
    />
  );
}
