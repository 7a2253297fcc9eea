// A module of its own with a default export, so that a list is shown before its menus are loaded.
export { AnchoredMenu as default } from '../menu/Menu.tsx';
