export { ConfirmDialog, type ConfirmDialogProps } from './ConfirmDialog.tsx';
export { type Impact, ImpactList } from './ImpactList.tsx';
