import { Button } from '@gatehouse/ui/button';
import { LinkButton } from '@gatehouse/ui/link';

/** How to create a record of a list. */
export interface ListCreate {
  readonly href: string;
  /** Why it isn't possible; undefined if it is. */
  readonly reason: string | undefined;
  /** `New target` by default. */
  readonly label?: string;
}

/** A link styled as a button, or a disabled button with the reason. */
export function CreateButton({
  create: { href, reason },
  label,
  size = 28,
  variant = 'primary',
}: {
  create: ListCreate;
  label: string;
  size?: 28 | 32;
  variant?: 'primary' | 'secondary';
}) {
  return reason === undefined ? (
    <LinkButton href={href} variant={variant} size={size}>
      {label}
    </LinkButton>
  ) : (
    <Button variant={variant} size={size} disabledReason={reason}>
      {label}
    </Button>
  );
}
