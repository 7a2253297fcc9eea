export { Menu, type MenuAction, type MenuEntry, type MenuGroup, type MenuProps } from './Menu.tsx';
export { MenuButton, type MenuButtonProps } from './MenuButton.tsx';
