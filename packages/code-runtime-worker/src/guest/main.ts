// The thread of one run: takes its order, prepares the globals, runs the program and says how it ended.
import { compileFunction } from 'node:vm';
import { type MessagePort, parentPort } from 'node:worker_threads';
import { type GuestDelivery, type SeenFailure, takenNames } from '@codeseam/code-runtime';
import {
  defineProperty,
  fixGlobals,
  freeze,
  nativeParse,
  outputItemText,
  PROGRAM_FILE,
} from '@codeseam/code-runtime/guest';
import { losslessJsonText, parseWrittenJson } from '@codeseam/lossless-json';
import type { RunOrder } from '../messages.ts';
import { Bridge } from './bridge.ts';
import { captureOutput } from './capture-output.ts';
import { describeFailure, programStack } from './describe-failure.ts';
import { globalsSource } from './globals-source.ts';
import { blockOn, later, RealScript, thenDo } from './intrinsics.ts';
import { openThreadPort } from './thread-port.ts';

const HEAD = '(async function () {';
const LONGEST_TEXT = 0x1fff_ffe8;
const never = new Int32Array(new SharedArrayBuffer(4));

parentPort!.once('message', ({ order, port }: { order: string; port: MessagePort }) =>
  runOrder(nativeParse(order) as RunOrder, port),
);

function runOrder(order: RunOrder, messagePort: MessagePort): void {
  let settled = false;
  let taken = 0;
  let onValue: ((value: unknown) => unknown) | undefined;

  const port = openThreadPort(messagePort, (text) => {
    // Once the program has settled, its jobs may end, but nothing of the host's reaches it.
    if (settled) return;
    const deliveries = parseWrittenJson(text) as unknown as GuestDelivery[];
    for (let index = 0; index < deliveries.length; index++) {
      taken++;
      bridge.settle(deliveries[index]!);
    }
    sayWhenIdle();
  });
  const bridge = new Bridge(port);
  const flushOutput = captureOutput((item) => port.send(['output', item]));

  const sayWhenIdle = (): void => {
    later(() => {
      if (!settled) port.send(['wait', taken]);
    });
  };
  /** Says the last word; guest code does not run again. */
  const end = (parts: readonly unknown[]): void => {
    settled = true;
    bridge.close();
    flushOutput();
    port.send(parts);
    blockOn(never, 0, 0);
  };
  const fail = (failure: SeenFailure): void => end(['failed', failure]);
  const failWith = (thrown: unknown): void => {
    const callSeq = bridge.callOf(thrown);
    fail({ ...describeFailure(thrown), ...(callSeq === undefined ? {} : { callSeq }) });
  };
  const complete = (value: unknown): void => {
    settled = true;
    // Jobs that are ready still run, and an unhandled rejection still fails the run.
    later(() => {
      bridge.close();
      let result = value;
      try {
        if (onValue) result = onValue(value);
      } catch (error) {
        failWith(error);
        return;
      }
      end(result === undefined ? ['done'] : completion(result));
    });
  };

  process.on('unhandledRejection', failWith);
  process.on('uncaughtException', failWith);
  process.on('beforeExit', () => port.send(['idle']));
  prepareRealm(bridge);
  const before = new Set(Object.getOwnPropertyNames(globalThis));
  if (order.prelude !== null) {
    try {
      compileFunction(order.prelude, ['host'], { filename: 'prelude.js' })(
        freeze({
          emit: (item: unknown) => port.send(['output', outputItemText(item)]),
          control: (name: string, payload?: unknown) => bridge.control(name, payload),
          onValue: (hook: (value: unknown) => unknown) => {
            onValue = hook;
          },
        }),
      );
    } catch (error) {
      failWith(error);
      return;
    }
  }
  const name = takenNames(order.names).find((it) => !before.has(it) && Object.hasOwn(globalThis, it));
  if (name !== undefined) {
    end(['taken', name]);
    return;
  }
  fixGlobals(order.names, globalsSource(order, bridge));

  const compiled = compile(order.program);
  port.send(['started']);
  if ('failure' in compiled) {
    fail(compiled.failure);
  } else {
    const { run } = compiled;
    thenDo(run(), complete, failWith);
  }
  sayWhenIdle();
}

/** What the completion value becomes: `done` and JSON text, or why it is none. */
function completion(value: unknown): unknown[] {
  try {
    return ['done', losslessJsonText(value, { maxBytes: LONGEST_TEXT })];
  } catch (error) {
    return ['failed', { kind: 'invalid-output', message: describeFailure(error).message }];
  }
}

/** The program was parsed by itself before the thread was spawned, so it cannot close its wrapper early. */
function compile(program: string): { run: () => Promise<unknown> } | { failure: SeenFailure } {
  try {
    const script = new RealScript(`${HEAD}${program}\n})`, { filename: PROGRAM_FILE, columnOffset: -HEAD.length });
    return { run: script.runInThisContext() as () => Promise<unknown> };
  } catch (error) {
    // Two parsers may differ on a rare text; the engine has the last word.
    return { failure: { ...describeFailure(error), kind: 'syntax' } };
  }
}

/** Makes the global object what programs expect, the same for all providers where they can agree. */
function prepareRealm(bridge: Bridge): void {
  const globals = globalThis as unknown as Record<string, unknown>;
  for (const name of ['require', 'module', 'exports', '__filename', '__dirname']) delete globals[name];
  globals['setTimeout'] = function setTimeout(fire: () => unknown, delay?: unknown, ...args: unknown[]) {
    return bridge.setTimer(fire, delay, args);
  };
  globals['clearTimeout'] = function clearTimeout(timer: unknown) {
    bridge.clearTimer(timer);
  };
  // Assignments are taken and do nothing: a hook would be given the functions of the bridge that are on the stack.
  defineProperty(Error, 'prepareStackTrace', {
    get: () => programStack,
    set: () => {},
    enumerable: false,
    configurable: false,
  });
}
