// Names that cannot be, or should not be, members of a namespace.

/** Words of the language; a function or namespace of that name cannot be declared, or not be told from the built-in. */
const LANGUAGE =
  'arguments as async await boolean break case catch class const continue debugger declare default delete do else enum eval export extends false finally for function ' +
  'globalThis if implements import in instanceof interface let module namespace never new null number object package private protected public return require static string super switch symbol ' +
  'this throw true try type typeof undefined unknown any bigint var void while with yield global';

/** Members that JavaScript itself looks up on objects: a tool called `then` would make its server look like a promise. */
const PROTOCOL =
  'then toJSON toString toLocaleString valueOf constructor prototype hasOwnProperty isPrototypeOf propertyIsEnumerable';

/** Our own members of a server. */
const OWN_MEMBERS = 'resources prompts';

/** File names that mean something else: our index, and devices on Windows. */
const FILE_NAMES =
  'index con prn aux nul com1 com2 com3 com4 com5 com6 com7 com8 com9 lpt1 lpt2 lpt3 lpt4 lpt5 lpt6 lpt7 lpt8 lpt9';

export const RESERVED_TOOL_NAMES: ReadonlySet<string> = new Set(`${LANGUAGE} ${PROTOCOL} ${OWN_MEMBERS}`.split(' '));
export const RESERVED_SERVER_NAMES: ReadonlySet<string> = new Set(`${LANGUAGE} ${PROTOCOL} ${FILE_NAMES}`.split(' '));
