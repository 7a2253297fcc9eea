export { CommandPalette, type PaletteGroup, type PaletteItem } from './CommandPalette.tsx';
