import { PasswordField } from '@gatehouse/ui/password-field';
import { PairsEditor } from '#components/form/PairsEditor.tsx';
import type { MapEditorProps, MapEntryEditorProps } from '#components/form/record-form.ts';

/** The contract's maximum number of entries. */
const limit = 256;

/** Environment entries: names and masked values, which can't be read once saved. */
export function EnvEditor(props: MapEditorProps) {
  return (
    <PairsEditor
      {...props}
      isSecret
      description="Environment variables of the plugin's process. They are write-only: their values can't be read."
      limit={limit}
    />
  );
}

/** One value, to resolve a conflict. */
export function EnvEntryEditor({ label, value, onChange }: MapEntryEditorProps) {
  return (
    <PasswordField label={`Value of ${label}`} value={value ?? ''} onChange={onChange} autoComplete="off" />
  );
}
