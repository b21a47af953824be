// The command line as a function, for tests and for programs that embed it.
export { countPresentation, countTokens } from './count-tokens.ts';
export { CliError, type CliErrorCode, EXIT } from './errors.ts';
export { collectInspection, type Inspection } from './inspect/collect-inspection.ts';
export type { CliIo } from './io.ts';
export { CLI_SCOPE, type Host, type HostOptions, openHost, withHost } from './open-host.ts';
export { runCli } from './run-cli.ts';
export { type RunProgramOptions, resumeProgram, runProgram } from './run-program.ts';
