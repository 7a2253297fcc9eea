import type { TextEditorProps } from '#components/form/record-form.ts';
import { PolicyEditor } from '#routes/$environment/cloud/-policy/PolicyEditor.tsx';

/** Edits a session policy, which has a lower size limit than a managed one. */
export function SessionPolicyEditor(props: TextEditorProps) {
  return <PolicyEditor {...props} use="session" />;
}
