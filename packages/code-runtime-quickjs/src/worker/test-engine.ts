// What tests of the worker's parts share: the compiled engine, and runs outside of a thread.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type FromWorker, SIGNAL_WORDS, UNSENT_UNITS } from '../messages.ts';
import { UnsentOutput } from '../unsent-output.ts';
import type { BaseImage } from './base-image.ts';
import { BindingNames } from './binding-names.ts';
import { GuestRun } from './guest-run.ts';
import { OutputSender } from './output-sender.ts';
import type { VmSlot } from './vm-slot.ts';

const path = createRequire(import.meta.url).resolve('quickjs-wasi/quickjs.wasm');

export const engineForTests: Promise<WebAssembly.Module> = WebAssembly.compile(readFileSync(path));

export const SETUP = JSON.stringify({
  namespaces: [{ global: 'tools', error: -1 }],
  errors: [],
  globals: [],
  maxPendingCalls: 16,
  maxQueuedCalls: 1024,
  maxCallBytes: 4 << 20,
  maxOutputBytes: 8 << 20,
});

/** Opens a run whose program may call `tools.wait()`. */
export function openRun(slot: VmSlot, base: BaseImage, sent: FromWorker[] = []): GuestRun {
  const unsent = new UnsentOutput(new Int32Array(SIGNAL_WORDS), new Uint16Array(UNSENT_UNITS));
  return new GuestRun({
    slot,
    base,
    names: {
      namespaces: [{ global: 'tools', names: new BindingNames(JSON.stringify({ o: [['wait', 0]] })) }],
      globals: new Map(),
    },
    output: new OutputSender(1, 1 << 20, unsent, (message) => sent.push(message)),
    limits: { computeMs: 60_000, memoryLimitBytes: 32 << 20, outputBytes: 1 << 20, snapshotBytes: undefined },
    cancelled: () => false,
  });
}
