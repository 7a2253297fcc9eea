export { countChanges, SaveBar, type SaveBarProps } from './SaveBar.tsx';
