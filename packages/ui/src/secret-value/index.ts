export { RevealButton } from './RevealButton.tsx';
export { maskedText, SecretValue } from './SecretValue.tsx';
