import { PolicyEditor } from '#components/cloud/policy/PolicyEditor.tsx';
import type { TextEditorProps } from '#components/form/record-form.ts';

/** The editor of a policy document that limits a session: it may be shorter than one of a user. */
export function SessionPolicyEditor(props: TextEditorProps) {
  return <PolicyEditor {...props} use="session" />;
}
