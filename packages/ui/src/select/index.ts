export type { OptionItem } from '../list-box/Option.tsx';
export { type OptionGroup, Select, type SelectProps } from './Select.tsx';
