// The commands, in the order of the help.
import type { CommandSpec } from '../command-line.ts';
import { call } from './call.ts';
import { exec, wait } from './exec.ts';
import { init } from './init.ts';
import { inspect } from './inspect.ts';
import { search } from './search.ts';
import { serve } from './serve.ts';
import { types } from './types.ts';

export const commands: readonly CommandSpec[] = [init, exec, wait, serve, types, inspect, search, call];
