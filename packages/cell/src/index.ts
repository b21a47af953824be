export type { CellLanguage, CellProblem } from './cell-problem.ts';
export { checkCell } from './check-cell.ts';
export { returnsExpression } from './has-return.ts';
export { type CellSource, type PreparedCell, prepareCell } from './prepare-cell.ts';
export { type StrippedCell, stripTypes } from './strip-types.ts';
export { type CellChange, type UnwrappedCell, unwrapCell } from './unwrap-cell.ts';
