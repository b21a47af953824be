export { cutText, docComment, docText, MAX_DOC_CHARS } from './doc-comment.ts';
export { identifierWords, isIdentifierName, startsLikeIdentifier } from './identifier-chars.ts';
export { PYTHON_IMPORTS } from './print-python.ts';
export { propertyKey, stringLiteral } from './property-key.ts';
export { isPythonName, pythonDocstring, pythonString } from './python-source.ts';
export { schemaToHint } from './schema-to-hint.ts';
export { schemaToPython } from './schema-to-python.ts';
export { schemaToTypeScript } from './schema-to-typescript.ts';
export {
  type SchemaEntry,
  type SharedDeclarations,
  schemasToTypeScript,
  schemasToTypeScriptInSteps,
} from './schemas-to-typescript.ts';
export { finish, type Steps } from './steps.ts';
export { pascalCase, toTypeName } from './type-name.ts';
export type {
  HintOptions,
  SchemaHint,
  SchemaSide,
  SchemaTypeOptions,
  TypeDeclarations,
  TypeScriptOptions,
} from './types.ts';
