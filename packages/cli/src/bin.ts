#!/usr/bin/env node
// The command `codeseam`.
import { processIo } from './io.ts';
import { runCli } from './run-cli.ts';

const code = await runCli(process.argv.slice(2), processIo());
process.exitCode = code;
// All handles are closed by now; should a plugin have left one, it does not keep the process.
setTimeout(() => process.exit(code), 2_000).unref();
