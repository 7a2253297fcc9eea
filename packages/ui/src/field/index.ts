export { Field, type FieldWiring, type StandaloneFieldProps } from './Field.tsx';
export type { FieldProps } from './fieldProps.ts';
