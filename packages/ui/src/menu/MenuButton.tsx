import { ChevronDown, Ellipsis } from 'lucide-react';
import { Button, type ButtonProps } from '../button/Button.tsx';
import { IconButton } from '../icon-button/IconButton.tsx';
import { Menu, type MenuProps } from './Menu.tsx';

export interface MenuButtonProps
  extends
    Pick<ButtonProps, 'variant' | 'size' | 'icon' | 'disabledReason'>,
    Pick<MenuProps, 'items' | 'placement' | 'isOpen' | 'onOpenChange'> {
  label: string;
  /** Shows three dots instead of the label, for a row's actions. */
  isOverflow?: boolean;
}

/** A button that opens a menu. A disabled one shows its reason and opens nothing. */
export function MenuButton({
  label,
  isOverflow = false,
  icon,
  variant,
  size,
  disabledReason,
  ...menu
}: MenuButtonProps) {
  const button = isOverflow ? (
    <IconButton
      icon={icon ?? Ellipsis}
      label={label}
      variant={variant}
      size={size}
      disabledReason={disabledReason}
    />
  ) : (
    <Button
      icon={icon}
      trailingIcon={ChevronDown}
      variant={variant}
      size={size}
      disabledReason={disabledReason}
    >
      {label}
    </Button>
  );
  if (disabledReason !== undefined) return button;
  return <Menu {...menu} label={label} trigger={button} />;
}
