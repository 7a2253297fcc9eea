export { Icon, type IconProps, type IconType } from './Icon.tsx';
