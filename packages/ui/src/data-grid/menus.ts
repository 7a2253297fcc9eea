/** The menus of a list, which come right after it: a list is shown before they are needed. */
export { AnchoredMenu } from '../menu/Menu.tsx';
export { GridColumnsMenu } from './GridColumnsMenu.tsx';
