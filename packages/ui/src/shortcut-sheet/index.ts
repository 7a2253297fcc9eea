export { type ShortcutGroup, ShortcutSheet, type ShortcutSheetProps } from './ShortcutSheet.tsx';
