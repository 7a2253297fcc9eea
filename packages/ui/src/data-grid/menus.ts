/** The grid's menus, loaded after it because a list is shown before they are needed. */
export { AnchoredMenu } from '../menu/Menu.tsx';
export { GridColumnsMenu } from './GridColumnsMenu.tsx';
