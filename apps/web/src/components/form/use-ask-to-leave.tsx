import { Button } from '@gatehouse/ui/button';
import { useRef, useState, type ReactNode } from 'react';

interface Leaving {
  /** The question, which names the loss: `Discard the message?` */
  readonly question: string;
  readonly wouldLose: boolean;
  readonly leave: () => void;
}

/** For a dialog with fields: Esc and Cancel ask in its footer before input is lost. */
export function useAskToLeave({ question, wouldLose, leave }: Leaving): {
  readonly askToLeave: () => void;
  /** Replaces the footer while asking. */
  readonly asking: ReactNode;
} {
  const [isAsking, setAsking] = useState(false);
  const from = useRef<Element | null>(null);
  const stay = (): void => {
    setAsking(false);
    // Restores the focus before the pressed button is unmounted.
    if (from.current instanceof HTMLElement) from.current.focus();
  };
  return {
    askToLeave: () => {
      if (!wouldLose || isAsking) {
        leave();
        return;
      }
      from.current = document.activeElement;
      setAsking(true);
    },
    asking: isAsking ? (
      <>
        <span className="me-auto text-body text-ink-1">{question}</span>
        <Button autoFocus onPress={stay}>
          Keep editing
        </Button>
        <Button variant="danger" onPress={leave}>
          Discard
        </Button>
      </>
    ) : undefined,
  };
}
