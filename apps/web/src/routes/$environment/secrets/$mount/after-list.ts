/** Loaded together once a folder's list is shown. */
export { FolderMenu } from '../FolderMenu.tsx';
export { FolderTree } from './FolderTree.tsx';
