import { clsx } from 'clsx';
import { X } from 'lucide-react';
import { useEffect, type FormEvent, type ReactNode } from 'react';
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { IconButton } from '../icon-button/IconButton.tsx';

export interface DialogProps {
  isOpen: boolean;
  /**
   * Called with `false` on Esc, on the close button and (if dismissible) on a press outside. To ask about unsaved
   * changes first, keep `isOpen` set.
   */
  onOpenChange: (isOpen: boolean) => void;
  title: ReactNode;
  /** One line under the title. */
  description?: ReactNode;
  children?: ReactNode;
  /** Buttons, the main action last. */
  footer?: ReactNode;
  /** 400, 560, 760 px. */
  size?: 'small' | 'medium' | 'large';
  /** `alertdialog` interrupts and must be answered. */
  role?: 'dialog' | 'alertdialog';
  /** Closes on a press outside; off for forms. */
  isDismissable?: boolean;
  /** Only the footer's buttons close it, for what can't be shown again. */
  isOnce?: boolean;
  /** Makes body and footer one form, which a submit button in the footer submits. */
  onSubmit?: (event: FormEvent<HTMLFormElement>) => void;
}

const widths = { small: 'max-w-100', medium: 'max-w-140', large: 'max-w-190' };

function Body({ children, footer }: Pick<DialogProps, 'children' | 'footer'>) {
  return (
    <>
      {children !== undefined && (
        <div className="min-h-0 flex-1 overflow-y-auto px-6 pt-1 pb-4 text-input text-ink-1">{children}</div>
      )}
      {footer !== undefined && (
        <div className="flex shrink-0 flex-wrap items-center justify-end gap-2 border-t border-line px-6 py-3">
          {footer}
        </div>
      )}
    </>
  );
}

/**
 * The element that opened the dialog may be gone, such as a deleted row. Focus then moves to the page instead of the
 * body.
 */
function useFocusAfter(isOpen: boolean): void {
  useEffect(() => {
    if (!isOpen) return undefined;
    return () => {
      // Restoring the focus takes a frame.
      requestAnimationFrame(() => {
        requestAnimationFrame(() => {
          const { activeElement, body } = document;
          if (activeElement === null || activeElement === body) document.querySelector('main')?.focus();
        });
      });
    };
  }, [isOpen]);
}

/** A modal dialog. Focus moves into it, stays in it, and returns to the element that opened it. */
export function Dialog({
  isOpen,
  onOpenChange,
  title,
  description,
  children,
  footer,
  size = 'medium',
  role = 'dialog',
  isDismissable = false,
  isOnce = false,
  onSubmit,
}: DialogProps) {
  const body = <Body footer={footer}>{children}</Body>;
  useFocusAfter(isOpen);
  return (
    <ModalOverlay
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      isDismissable={isDismissable}
      isKeyboardDismissDisabled={isOnce}
      className="overlay-motion fixed inset-0 z-40 flex items-start justify-center overflow-hidden bg-scrim p-4 pt-[min(12vh,96px)]"
    >
      <Modal className={clsx('flex max-h-full w-full flex-col', widths[size])}>
        <AriaDialog
          role={role}
          className="flex max-h-full min-h-0 flex-col rounded-overlay bg-raised shadow-overlay outline-none"
        >
          <div className="flex shrink-0 items-start gap-2 py-4 ps-6 pe-3">
            <div className="min-w-0 flex-1">
              <Heading slot="title" className="text-heading font-semibold text-ink-1">
                {title}
              </Heading>
              {description !== undefined && <p className="mt-0.5 text-body text-ink-2">{description}</p>}
            </div>
            {!isOnce && <IconButton icon={X} label="Close" slot="close" />}
          </div>
          {onSubmit === undefined ? (
            body
          ) : (
            <form
              noValidate
              onSubmit={(event) => {
                // React bubbles events to the dialog's parent component, and a form there must not be submitted.
                event.stopPropagation();
                onSubmit(event);
              }}
              className="flex min-h-0 flex-1 flex-col"
            >
              {body}
            </form>
          )}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}
