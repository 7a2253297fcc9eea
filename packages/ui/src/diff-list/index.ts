export { DiffList, type DiffListProps, type FieldChange } from './DiffList.tsx';
