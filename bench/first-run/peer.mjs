const start = performance.now();
const { run } = await import('run');
const { value } = await run({ source: 'return 1;' });
const ms = performance.now() - start;
if (value !== 1) throw new Error('no value');
process.stdout.write(String(ms), () => process.exit(0));
