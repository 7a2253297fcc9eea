export { DataGrid } from './DataGrid.tsx';
export {
  type DataGridProps,
  defaultGridView,
  emptyGridSelection,
  type GridColumn,
  type GridDensity,
  type GridMatchCount,
  type GridNoun,
  type GridSelection,
  type GridSorting,
  type GridValue,
  type GridView,
} from './gridTypes.ts';
