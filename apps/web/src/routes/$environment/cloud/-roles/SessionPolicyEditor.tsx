import type { TextEditorProps } from '#components/form/record-form.ts';
import { PolicyEditor } from '#routes/$environment/cloud/-policy/PolicyEditor.tsx';

/** The editor of a policy document that limits a session: it may be shorter than one of a user. */
export function SessionPolicyEditor(props: TextEditorProps) {
  return <PolicyEditor {...props} use="session" />;
}
