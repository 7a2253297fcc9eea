export { hasCommandKey, Kbd, type KbdProps } from './Kbd.tsx';
