import { PairsEditor } from '#components/form/PairsEditor.tsx';
import type { MapEditorProps } from '#components/form/record-form.ts';

/** Tags of a user or a session at the provider at most. */
const tagLimit = 50;

/** The tags of the users that a role makes. */
export function TagsEditor(props: MapEditorProps) {
  return (
    <PairsEditor
      {...props}
      description="Applied to each IAM user, so that cost reports and policies can refer to them."
      limit={tagLimit}
    />
  );
}

/** The tags of the sessions that a role opens. */
export function SessionTagsEditor(props: MapEditorProps) {
  return (
    <PairsEditor
      {...props}
      description="Sent when a role is assumed. The roles' trust policies must allow sts:TagSession."
      limit={tagLimit}
    />
  );
}
