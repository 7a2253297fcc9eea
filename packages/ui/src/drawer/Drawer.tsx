import { clsx } from 'clsx';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { IconButton } from '../icon-button/IconButton.tsx';

export interface DrawerProps {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  title: ReactNode;
  /** One line under the title: a type, an ID. */
  description?: ReactNode;
  /** Buttons beside the close button: open as a page, previous, next. */
  actions?: ReactNode;
  children: ReactNode;
  footer?: ReactNode;
  /** 420 or 640 px. */
  size?: 'medium' | 'large';
}

/** A panel at the end of the window for reading; editing has its own page. Drawers never stack. */
export function Drawer({
  isOpen,
  onOpenChange,
  title,
  description,
  actions,
  children,
  footer,
  size = 'medium',
}: DrawerProps) {
  return (
    <ModalOverlay
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      isDismissable
      className="overlay-motion fixed inset-0 z-30 flex justify-end bg-scrim"
    >
      <Modal
        className={clsx(
          'overlay-motion from-right flex h-full w-full',
          size === 'large' ? 'max-w-160' : 'max-w-105',
        )}
      >
        <Dialog className="flex h-full w-full min-w-0 flex-col bg-raised shadow-overlay outline-none">
          <div className="flex shrink-0 items-start gap-2 border-b border-line py-3 ps-6 pe-3">
            <div className="min-w-0 flex-1">
              <Heading slot="title" className="truncate text-heading font-semibold text-ink-1">
                {title}
              </Heading>
              {description !== undefined && <div className="text-meta text-ink-2">{description}</div>}
            </div>
            {actions}
            <IconButton icon={X} label="Close" slot="close" tooltipPlacement="left" />
          </div>
          <div className="min-h-0 flex-1 overflow-y-auto px-6 py-4 text-body">{children}</div>
          {footer !== undefined && (
            <div
              data-foot
              className="flex shrink-0 items-center justify-end gap-2 border-t border-line px-6 py-3"
            >
              {footer}
            </div>
          )}
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
