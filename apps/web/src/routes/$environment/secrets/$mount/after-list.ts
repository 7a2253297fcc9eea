/** What a folder fetches after its list stands, in one go. */
export { FolderMenu } from '../FolderMenu.tsx';
export { FolderTree } from './FolderTree.tsx';
