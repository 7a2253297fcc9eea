export { maskedText, SecretValue } from './SecretValue.tsx';
