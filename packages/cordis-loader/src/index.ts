// Rows of cordis.yml to plugins in a cordis context.
export * from './errors.ts';
export type { Environment } from './evaluate-expression.ts';
export { JsExpression } from './evaluate-expression.ts';
export { describeFileProblem } from './file-problem.ts';
export type { Loader, LoaderOptions, RowStatus } from './loader.ts';
export { createLoader, loadCordisConfig } from './loader.ts';
export { OWNER, ownerOf } from './owner.ts';
export type { ConfigFile, ReadFileOptions } from './read-config-file.ts';
export { readConfigFile } from './read-config-file.ts';
export type { RowState } from './row-plugin.ts';
export type { CordisRow } from './rows.ts';
