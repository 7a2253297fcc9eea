import { useState } from 'react';
import { Button } from '../button/Button.tsx';
import { ConfirmDialog } from '../confirm-dialog/ConfirmDialog.tsx';
import { ImpactList } from '../confirm-dialog/ImpactList.tsx';
import { Dialog } from '../dialog/Dialog.tsx';
import { Drawer } from '../drawer/Drawer.tsx';
import { KeyValueList } from '../key-value-list/KeyValueList.tsx';
import { ShortcutSheet } from '../shortcut-sheet/ShortcutSheet.tsx';
import { TextField } from '../text-field/TextField.tsx';
import { Family, Specimen } from './Specimen.tsx';

type Open = 'dialog' | 'click' | 'typed' | 'drawer' | 'shortcuts' | null;

const impacts = [
  { kind: 'breaks', text: '2 open sessions end immediately' },
  { kind: 'worth-knowing', text: 'Grants for ttcp_1234567890 remain, without effect' },
  { kind: 'updates-itself', text: 'Saved views no longer list it' },
] as const;

/** Overlays, which use the document's theme. */
export function Overlays() {
  const [open, setOpen] = useState<Open>(null);
  const [hasShortcuts, setHasShortcuts] = useState(true);
  function close(isOpen: boolean): void {
    if (!isOpen) setOpen(null);
  }
  const opener = (which: Exclude<Open, null>, words: string) => (
    <Button
      onPress={() => {
        setOpen(which);
      }}
    >
      {words}
    </Button>
  );
  return (
    <Family title="Overlays">
      <Specimen name="Dialog, confirmation, drawer" isRow>
        {opener('dialog', 'Form in a dialog')}
        {opener('click', 'Confirm with a click')}
        {opener('typed', 'Confirm by typing the name')}
        {opener('drawer', 'Drawer')}
        {opener('shortcuts', 'Shortcuts')}
      </Specimen>
      <Specimen name="Impact list">
        <ImpactList impacts={impacts} />
      </Specimen>
      <Dialog
        isOpen={open === 'dialog'}
        onOpenChange={close}
        title="Add a host"
        description="It is added to the set web-eu."
        onSubmit={(event) => {
          event.preventDefault();
          setOpen(null);
        }}
        footer={
          <>
            <Button
              onPress={() => {
                setOpen(null);
              }}
            >
              Cancel
            </Button>
            <Button variant="primary" type="submit">
              Add host
            </Button>
          </>
        }
      >
        <div className="flex flex-col gap-4">
          <TextField label="Name" isRequired autoFocus />
          <TextField label="Address" isRequired isMono />
        </div>
      </Dialog>
      <ConfirmDialog
        isOpen={open === 'click'}
        onOpenChange={close}
        title="Cancel session s_1234?"
        confirmLabel="Cancel session"
        cancelLabel="Keep it"
        onConfirm={() => {
          setOpen(null);
        }}
      >
        The connection to db-primary ends immediately.
      </ConfirmDialog>
      <ConfirmDialog
        isOpen={open === 'typed'}
        onOpenChange={close}
        title="Delete target db-primary?"
        typedName="db-primary"
        confirmLabel="Delete target"
        impacts={impacts}
        onConfirm={() => {
          setOpen(null);
        }}
      >
        This can't be undone.
      </ConfirmDialog>
      <Drawer
        isOpen={open === 'drawer'}
        onOpenChange={close}
        title="db-primary"
        description="tcp · ttcp_1234567890"
        footer={<Button variant="primary">Edit</Button>}
      >
        <KeyValueList
          items={[
            { label: 'Address', value: '10.0.0.4', isMono: true },
            { label: 'Default port', value: '5432' },
          ]}
        />
      </Drawer>
      <ShortcutSheet
        isOpen={open === 'shortcuts'}
        onOpenChange={close}
        isEnabled={hasShortcuts}
        onEnabledChange={setHasShortcuts}
        groups={[
          {
            title: 'Everywhere',
            shortcuts: [
              { keys: 'Mod+K', label: 'Open the command palette' },
              { keys: '?', label: 'This sheet' },
              { keys: 'g t', label: 'Go to targets' },
            ],
          },
          {
            title: 'In a grid',
            shortcuts: [
              { keys: 'j', label: 'Next row' },
              { keys: 'k', label: 'Previous row' },
              { keys: 'Enter', label: 'Open' },
              { keys: 'Space', label: 'Select' },
              { keys: 'Shift+Space', label: 'Select up to this row' },
              { keys: 'Mod+A', label: 'Select all loaded rows' },
            ],
          },
        ]}
      />
    </Family>
  );
}
