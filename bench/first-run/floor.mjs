// The least: a worker that compiles the engine, creates a VM and evaluates one expression.
const start = performance.now();
const { Worker } = await import('node:worker_threads');
const code = `
  import { parentPort } from 'node:worker_threads';
  import { readFileSync } from 'node:fs';
  import { createRequire } from 'node:module';
  const require = createRequire(${JSON.stringify(import.meta.url)});
  const { QuickJS } = await import(${JSON.stringify(import.meta.resolve('quickjs-wasi'))});
  const wasm = await WebAssembly.compile(readFileSync(require.resolve('quickjs-wasi/quickjs.wasm')));
  const vm = await QuickJS.create({ wasm });
  parentPort.postMessage(vm.evalCode('1').consume((handle) => handle.toNumber()));`;
const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(code)}`));
const value = await new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
const ms = performance.now() - start;
if (value !== 1) throw new Error('no value');
process.stdout.write(String(ms), () => process.exit(0));
