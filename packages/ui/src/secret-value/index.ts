export { RevealButton } from './RevealButton.tsx';
export { maskedText, SecretValue, type SecretValueProps } from './SecretValue.tsx';
