export type { OptionItem } from '../list-box/Option.tsx';
export { ComboBox, type ComboBoxProps } from './ComboBox.tsx';
