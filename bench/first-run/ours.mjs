const start = performance.now();
const { createQuickJsRuntime } = await import('@codeseam/code-runtime-quickjs');
const runtime = await createQuickJsRuntime();
const { value } = await runtime.run({ program: 'return 1;', bindings: [] });
const ms = performance.now() - start;
if (value !== 1) throw new Error('no value');
process.stdout.write(String(ms), () => process.exit(0));
