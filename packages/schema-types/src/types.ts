// The public shapes of the three converters.

/** Which side of a call a schema describes: what a caller sends, or what comes back. */
export type SchemaSide = 'input' | 'output';

export interface SchemaTypeOptions {
  /** Base of every declared type name; a `$defs` entry `Node` becomes `<Name>Node`. Any text is fine. */
  name: string;
  /** On `input` a property with a default may be left out. Default `input`. */
  io?: SchemaSide;
  /** Type names already declared in the same file. The names this call declares are added to it. */
  taken?: Set<string>;
}

export interface TypeScriptOptions extends SchemaTypeOptions {
  /** `pretty` (default): a property a line. `compact`: each type on as few lines as its comments allow. */
  layout?: 'pretty' | 'compact';
  /**
   * Name of a type `{ [key: string]: unknown }` declared by the caller. Objects that allow further keys are
   * printed as `{ … } & Name` in place of an index signature of their own, which is shorter in large files.
   */
  openType?: string;
  /** Spaces before continuation lines, in steps of two. Default 0. */
  indent?: number;
}

export interface TypeDeclarations {
  /** A type expression: inline, or the name of a declared type. */
  type: string;
  /** The declarations that `type` needs, each on its own lines; empty if it needs none. */
  declarations: string;
  /**
   * False where something could not be read and became `unknown` there: an unresolved or remote `$ref`, nonsense in
   * place of a schema, or a schema beyond the size limits.
   */
  complete: boolean;
}

export interface HintOptions {
  /** Longest hint in UTF-16 units. Default 300. */
  maxChars?: number;
  /** Levels of nested objects and arrays that are spelt out. Default 3. */
  maxDepth?: number;
  /** Properties spelt out per object. Default 12. */
  maxProperties?: number;
  /** Default `input`. */
  io?: SchemaSide;
}

export interface SchemaHint {
  /** One line, `…` where something was cut. */
  text: string;
  /** True if nothing was cut or unknown, and every object in it is closed. */
  complete: boolean;
}
