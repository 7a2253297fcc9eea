import { Button } from '@gatehouse/ui/button';
import { Dialog, type DialogProps } from '@gatehouse/ui/dialog';

type OnceDialogProps = Pick<DialogProps, 'title' | 'description' | 'size' | 'children'> & {
  onClose: () => void;
};

/** Shows what can't be shown again. Only its button closes it, so that no key press loses it. */
export function OnceDialog({ onClose, ...dialog }: OnceDialogProps) {
  return (
    <Dialog
      {...dialog}
      isOpen
      isOnce
      onOpenChange={onClose}
      footer={
        <Button variant="primary" onPress={onClose}>
          Done
        </Button>
      }
    />
  );
}
