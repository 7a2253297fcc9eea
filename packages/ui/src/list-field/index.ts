export { ListField, type ListFieldProps } from './ListField.tsx';
