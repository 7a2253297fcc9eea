export { ToastRegion } from './ToastRegion.tsx';
export { type ToastMessage, type ToastTone, toasts } from './toasts.ts';
