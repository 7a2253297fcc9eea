export { Checkbox, type CheckboxProps } from './Checkbox.tsx';
export { CheckboxGroup, type CheckboxGroupOption, type CheckboxGroupProps } from './CheckboxGroup.tsx';
