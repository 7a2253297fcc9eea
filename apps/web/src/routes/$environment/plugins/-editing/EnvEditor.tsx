import { PasswordField } from '@gatehouse/ui/password-field';
import { PairsEditor } from '#components/form/PairsEditor.tsx';
import type { MapEditorProps, MapEntryEditorProps } from '#components/form/record-form.ts';

/** Entries at most, as the contract says. */
const limit = 256;

/** Environment entries: names and masked values, which nobody can read once they are saved. */
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

/** One value, where it is decided about. */
export function EnvEntryEditor({ label, value, onChange }: MapEntryEditorProps) {
  return (
    <PasswordField label={`Value of ${label}`} value={value ?? ''} onChange={onChange} autoComplete="off" />
  );
}
