export { Button, type ButtonProps } from './Button.tsx';
export { buttonClass, type ButtonLook, type ButtonSize, type ButtonVariant } from './buttonClass.ts';
