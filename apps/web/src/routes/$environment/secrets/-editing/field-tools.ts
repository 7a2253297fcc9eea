/** Loaded together once a secret's form is shown. */
export { FieldMenu } from './FieldMenu.tsx';
export { GenerateValue } from './GenerateValue.tsx';
