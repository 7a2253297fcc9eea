import type { EnvironmentKind } from '@gatehouse/api-types/console/service';
import { GateRail } from '@gatehouse/ui/environment';
import { Dialog, Modal, ModalOverlay } from 'react-aria-components';
import { Navigation } from './Navigation.tsx';

export interface NarrowNavigationProps {
  kind: EnvironmentKind;
  onClose: () => void;
  onShowShortcuts: () => void;
  onShowPalette: () => void;
}

/** The navigation on narrow screens: opens over the page until a link is followed. */
export function NarrowNavigation({ kind, onClose, onShowShortcuts, onShowPalette }: NarrowNavigationProps) {
  return (
    <ModalOverlay
      isOpen
      onOpenChange={onClose}
      isDismissable
      className="overlay-motion fixed inset-0 z-30 flex bg-scrim"
    >
      <Modal className="flex h-full w-64 bg-surface shadow-overlay">
        <GateRail kind={kind} />
        <Dialog aria-label="Navigation" className="flex h-full min-w-0 flex-1 outline-none">
          <Navigation onShowShortcuts={onShowShortcuts} onShowPalette={onShowPalette} />
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
