export type { OptionItem } from './Option.tsx';
