export { PairsField, type PairsFieldProps } from './PairsField.tsx';
export { keyOfPair } from './pair-rows.ts';
