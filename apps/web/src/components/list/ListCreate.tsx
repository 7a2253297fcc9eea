import { Button } from '@gatehouse/ui/button';
import { LinkButton } from '@gatehouse/ui/link';

/** The way to a new record of a list. */
export interface ListCreate {
  readonly href: string;
  /** Why it cannot be done; undefined where it can. */
  readonly reason: string | undefined;
  /** `New target` without it. */
  readonly label?: string;
}

/** A link that looks like a button; a button that says why it cannot be used where nothing can be created. */
export function CreateButton({
  create: { href, reason },
  label,
  size = 28,
}: {
  create: ListCreate;
  label: string;
  size?: 28 | 32;
}) {
  return reason === undefined ? (
    <LinkButton href={href} variant="primary" size={size}>
      {label}
    </LinkButton>
  ) : (
    <Button variant="primary" size={size} disabledReason={reason}>
      {label}
    </Button>
  );
}
