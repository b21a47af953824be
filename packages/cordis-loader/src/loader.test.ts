import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Context } from 'cordis';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type CordisRow, createLoader, describeFileProblem, type LoaderOptions, type RowStatus } from './index.ts';

const plugins = fileURLToPath(new URL('./fixtures/plugins/', import.meta.url));
const shared = globalThis as { __record?: string[] };
let record: string[];
let ctx: Context;
let folder: string;

beforeEach(() => {
  record = shared.__record = [];
  ctx = new Context();
  folder = mkdtempSync(join(tmpdir(), 'cordis-loader-'));
});

afterEach(async () => {
  await ctx.fiber.dispose();
  rmSync(folder, { recursive: true, force: true });
  delete shared.__record;
});

async function load(rows: CordisRow[], options: LoaderOptions = {}) {
  const loader = await createLoader(ctx, { rows, folder: plugins, ...options });
  await loader.settled();
  return loader;
}

async function loadFile(name: string, text: string, options: LoaderOptions = {}) {
  const file = join(folder, name);
  writeFileSync(file, text);
  const loader = await createLoader(ctx, { file, ...options });
  await loader.settled();
  return loader;
}

const states = (rows: RowStatus[]) => Object.fromEntries(rows.map((row) => [row.id, row.state]));

test('rows are mounted in their order and known by id, or by name', async () => {
  const loader = await load([
    { id: 'one', name: './record.mjs', config: { label: 'one' } },
    { name: './record.mjs', config: { label: 'two' } },
    { name: './record.mjs', config: { label: 'three' } },
  ]);
  expect(record).toEqual(['start one', 'start two', 'start three']);
  expect(states(loader.rows())).toEqual({ one: 'active', './record.mjs': 'active', './record.mjs#2': 'active' });
});

test('a disabled row is not mounted, and neither are the rows of a disabled group', async () => {
  const loader = await load([
    { id: 'off', name: './record.mjs', disabled: true },
    { id: 'pair', group: true, config: [{ id: 'a', name: './record.mjs', config: { label: 'a' } }] },
    { id: 'dark', group: true, disabled: true, config: [{ id: 'b', name: './record.mjs' }] },
  ]);
  expect(record).toEqual(['start a']);
  expect(states(loader.rows())).toEqual({ off: 'disabled', 'pair:a': 'active', 'dark:b': 'disabled' });
});

test('a row that fails is held with its error and the others run', async () => {
  const loader = await load([
    { id: 'bad', name: './record.mjs', config: { label: 'bad', fail: 'no luck' } },
    { id: 'broken', name: './broken.mjs' },
    { id: 'empty', name: './no-plugin.mjs' },
    { id: 'absent', name: '@nowhere/to-be-found' },
    { id: 'lost', name: './lost.mjs' },
    { id: 'good', name: './record.mjs', config: { label: 'good' } },
  ]);
  expect(record).toContain('start good');
  const errors = Object.fromEntries(
    loader.rows().map((row) => [row.id, row.error && [row.error.code, row.error.message]]),
  );
  expect(errors).toEqual({
    bad: ['PLUGIN_FAILED', 'row bad: ./record.mjs failed to start: no luck'],
    broken: ['PLUGIN_FAILED', 'row broken: ./broken.mjs could not be loaded: broken at import'],
    empty: [
      'INVALID_PLUGIN',
      'row empty: ./no-plugin.mjs has no plugin: neither its default export nor its module has an apply',
    ],
    absent: ['PLUGIN_NOT_FOUND', 'row absent: @nowhere/to-be-found is not installed or not there'],
    lost: ['PLUGIN_NOT_FOUND', 'row lost: ./lost.mjs is not installed or not there'],
    good: undefined,
  });
});

test('a row that is not well formed is an error of that row alone, with the field and the nearest real one', async () => {
  const loader = await load([
    'text',
    { name: './record.mjs', conifg: {} },
    { id: 7, name: './record.mjs' },
    { id: 'switch', name: './record.mjs', disabled: 'yes' },
    { id: 'nameless' },
    { id: 'group', group: true, config: {} },
    { id: 'foreign', name: './record.mjs', isolate: { tools: true } },
    { id: 'twice', name: './record.mjs', config: { label: 'first' } },
    { id: 'twice', name: './record.mjs', config: { label: 'second' } },
  ] as never);
  expect(loader.rows().map((row) => row.error?.message)).toEqual([
    'row 1: a row is an object like { name: "@codeseam/tools", config: {} }',
    'row ./record.mjs: unknown row field "conifg" (did you mean config?); a row has id, name, config, disabled, group',
    'row ./record.mjs#2: id must be a non-empty string, got 7',
    'row switch: disabled must be true or false, got "yes"',
    'row nameless: name is missing; it is a package or a relative path',
    'row group: the config of a group must be a list of rows, got {}',
    'row foreign: the row field isolate is not supported; use id, name, config, disabled, group',
    undefined,
    'row twice#2: the id "twice" is taken by an earlier row',
  ]);
  expect(record).toEqual(['start first']);
});

test('a config that its schema refuses names file, line, row, field and range, every violation at once', async () => {
  const loader = await loadFile(
    'cordis.yml',
    `- id: web\n  name: ${join(plugins, 'configured.mjs')}\n  config:\n    hosts: [a, 2]\n    port: 70000\n`,
  );
  const [row] = loader.rows();
  expect(row).toMatchObject({ id: 'web', state: 'failed' });
  expect(row!.error).toMatchObject({
    code: 'INVALID_CONFIG',
    row: 'web',
    message: 'cordis.yml:5: row web: port: must be a number from 1 to 65535, got 70000; hosts[1]: must be a string',
  });
  expect(record).toEqual([]);
});

test('a field whose name is only part of a word of the message is named all the same', async () => {
  const loader = await load([{ id: 'close', name: './close-keys.mjs' }]);
  expect(loader.rows()[0]!.error!.message).toBe(
    'row close: mod: unknown key, did you mean mode?; "port" must be a number; reports[0] is no port',
  );
});

test('a row that waits for a service says which, and starts when a row that provides it appears', async () => {
  const rows: CordisRow[] = [{ id: 'needs', name: './dependent.mjs' }];
  const loader = await load(rows);
  expect(loader.rows()).toMatchObject([{ id: 'needs', state: 'waiting', missing: ['clock'] }]);
  await loader.update([
    ...rows,
    { id: 'clock', name: './slow-service.mjs', config: { service: 'clock', label: 'c1' } },
  ]);
  await loader.settled();
  expect(record).toEqual(['owner needs clock c1']);
  expect(states(loader.rows())).toEqual({ needs: 'active', clock: 'active' });
});

test('the plugin knows the id of its row as the owner of what it registers, also in contexts derived from its own', async () => {
  let seen: unknown[] = [];
  const owner = Symbol.for('codeseam.owner');
  const read = (context: Context) => (context as unknown as Record<symbol, unknown>)[owner];
  writeFileSync(join(folder, 'spy.mjs'), 'export default (ctx, config) => config.look(ctx)');
  const look = (context: Context) => {
    seen = [read(context), read(context.extend({})), read(ctx)];
    context.plugin((inner: Context) => void seen.push(read(inner)));
  };
  await load([{ id: 'spy', name: './spy.mjs', config: { look } }], { folder });
  expect(seen).toEqual(['spy', 'spy', undefined, 'spy']);
});

test('a change of name replaces the plugin of its row and leaves the others running', async () => {
  const clock: CordisRow = { id: 'clock', name: './slow-service.mjs', config: { service: 'clock', label: 'old' } };
  const other: CordisRow = { id: 'other', name: './record.mjs', config: { label: 'other' } };
  const loader = await load([clock, other, { id: 'needs', name: './dependent.mjs' }]);
  writeFileSync(
    join(folder, 'clock.mjs'),
    "export default { name: 'new', apply: (ctx) => void ctx.provide('clock', { label: 'new' }) }",
  );
  record.length = 0;
  await loader.update([
    { id: 'clock', name: join(folder, 'clock.mjs') },
    other,
    { id: 'needs', name: './dependent.mjs' },
  ]);
  await loader.settled();
  expect(record).toEqual(['stop dependent', 'stop service clock', 'owner needs clock new']);
  expect(states(loader.rows())).toEqual({ clock: 'active', other: 'active', needs: 'active' });
});

test('a change of config restarts its row alone, and a row that is gone ends', async () => {
  const loader = await load([
    { id: 'a', name: './record.mjs', config: { label: 'a' } },
    { id: 'b', name: './record.mjs', config: { label: 'b' } },
    { id: 'c', name: './record.mjs', config: { label: 'c' } },
  ]);
  record.length = 0;
  await loader.update([
    { id: 'a', name: './record.mjs', config: { label: 'a' } },
    { id: 'b', name: './record.mjs', config: { label: 'b2' } },
  ]);
  await loader.settled();
  expect(record).toEqual(['stop c', 'stop b', 'start b2']);
});

test('a change that its schema refuses ends the old plugin: nothing runs under a config that is not the written one', async () => {
  const loader = await load([{ id: 'web', name: './configured.mjs', config: { port: 80 } }]);
  await loader.update([{ id: 'web', name: './configured.mjs', config: { port: 0 } }]);
  expect(loader.rows()).toMatchObject([{ state: 'failed', error: { code: 'INVALID_CONFIG' } }]);
  await loader.update([{ id: 'web', name: './configured.mjs', config: { port: 81 } }]);
  await loader.settled();
  expect(loader.rows()).toMatchObject([{ state: 'active' }]);
  expect(record).toEqual(['configured 80', 'configured 81']);
});

test('disposal ends the rows one after the other, dependents before what they depend on, whatever the order of the file', async () => {
  const loader = await load([
    { id: 'needs', name: './dependent.mjs' },
    { id: 'clock', name: './slow-service.mjs', config: { service: 'clock', label: 'c' } },
  ]);
  record.length = 0;
  await loader.dispose();
  expect(record).toEqual(['stop dependent', 'stop service clock']);
  expect(loader.rows()).toEqual([]);
});

test('disposing the context ends the rows in the same order', async () => {
  await load([
    { id: 'clock', name: './slow-service.mjs', config: { service: 'clock', label: 'c' } },
    { id: 'needs', name: './dependent.mjs' },
  ]);
  record.length = 0;
  await ctx.fiber.dispose();
  expect(record).toEqual(['stop dependent', 'stop service clock']);
});

test('nothing is left after disposal: no fiber, no listener, no watcher', async () => {
  const plain = new Context();
  const before = { size: plain.registry.size, effects: plain.fiber.getEffects().length };
  const file = join(folder, 'cordis.yml');
  writeFileSync(file, `- name: ${join(plugins, 'record.mjs')}\n`);
  const loader = await createLoader(plain, { file, watch: true });
  await loader.settled();
  expect(process.getActiveResourcesInfo()).toContain('FSEventWrap');
  await loader.dispose();
  await loader.dispose();
  expect({ size: plain.registry.size, effects: plain.fiber.getEffects().length }).toEqual(before);
  await expect.poll(() => process.getActiveResourcesInfo()).not.toContain('FSEventWrap');
});

test('an expression sees env and nothing else, and a variable that is not set is an error of its row', async () => {
  const at = join(plugins, 'record.mjs');
  const loader = await loadFile(
    'cordis.yml',
    [
      `- { id: ok, name: ${at}, config: { label: !!js 'env.NAME + "!"' } }`,
      `- { id: fallback, name: ${at}, config: { label: !!js 'env.ABSENT ?? "plain"' } }`,
      `- { id: unset, name: ${at}, config: { deep: [{ token: !!js 'env.ABSENT' }] } }`,
      `- { id: escape, name: ${at}, config: { label: !!js 'process.pid' } }`,
      `- { id: deeper, name: ${at}, config: { label: !!js 'env.constructor.constructor("return process")()' } }`,
      `- { id: syntax, name: ${at}, config: { label: !!js 'env.' } }`,
      `- { id: loop, name: ${at}, config: { label: !!js '(() => { for (;;); })()' } }`,
      `- { id: off, name: ${at}, disabled: true, config: { label: !!js 'env.ABSENT' } }`,
    ].join('\n'),
    { env: { NAME: 'Ann' } },
  );
  expect(record).toEqual(['start Ann!', 'start plain']);
  const messages = Object.fromEntries(loader.rows().map((row) => [row.id, row.error?.message]));
  expect(messages['unset']).toBe(
    'cordis.yml:3: row unset: config.deep[0].token: `env.ABSENT`: the environment variable ABSENT is not set',
  );
  expect(messages['escape']).toBe('cordis.yml:4: row escape: config.label: `process.pid`: process is not defined');
  expect(messages['deeper']).toMatch(/^cordis\.yml:5: row deeper: config\.label: .*constructor is not set$/);
  expect(messages['syntax']).toMatch(/^cordis\.yml:6: row syntax: config\.label: /);
  expect(messages['loop']).toMatch(/^cordis\.yml:7: row loop: .*timed out after 100ms$/);
  expect(states(loader.rows())).toMatchObject({ off: 'disabled' });
});

test('a JSON file is never evaluated', async () => {
  const row = { id: 'a', name: join(plugins, 'record.mjs'), config: { label: '!!js env.HOME' } };
  await loadFile('cordis.json', JSON.stringify([row]));
  expect(record).toEqual(['start !!js env.HOME']);
});

test.each([
  ['no such file', 'absent.yml', undefined, 'CONFIG_NOT_FOUND', /^cannot read the config .*absent\.yml: no such file$/],
  ['broken YAML', 'a.yml', '- name: x\n  config: [1,\n- b', 'CONFIG_SYNTAX', /^a\.yml:3: not valid YAML: /],
  ['a key that comes twice', 'a.yml', '- name: x\n  name: y\n', 'CONFIG_SYNTAX', /^a\.yml:2: not valid YAML: /],
  ['two documents', 'a.yml', '- name: x\n---\n- name: y\n', 'CONFIG_SYNTAX', /more than one document/],
  ['an unknown tag', 'a.yml', '- name: !!python x\n', 'CONFIG_SYNTAX', /^a\.yml:1: not valid YAML: /],
  ['broken JSON', 'a.json', '[{\n]', 'CONFIG_SYNTAX', /^a\.json:2:1: not valid JSON: unexpected "\]"$/],
  ['no list', 'a.yml', 'name: x\n', 'CONFIG_SYNTAX', /^a\.yml: a config is a list of rows$/],
  ['an empty file', 'a.yml', '', 'CONFIG_SYNTAX', /^a\.yml: a config is a list of rows$/],
])('%s is an error of the file with its line', async (_what, name, text, code, message) => {
  const file = join(folder, name);
  if (text !== undefined) writeFileSync(file, text);
  const refused = createLoader(ctx, { file });
  await expect(refused).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
});

test.each([
  ['ENOENT', 'read', 'no such file'],
  ['ENOENT', 'write', 'its folder docs does not exist'],
  ['EISDIR', 'read', 'it is a folder, not a file'],
  ['ENOTDIR', 'read', 'a part of its path is a file, not a folder'],
  ['EACCES', 'read', 'this user may not read it'],
  ['EROFS', 'write', 'its file system is read-only'],
  ['EMFILE', 'read', 'EMFILE: as the system says it'],
] as const)('a file problem %s in words, to %s', (code, doing, words) => {
  const error = Object.assign(new Error(`${code}: as the system says it`), { code });
  expect(describeFileProblem(error, 'docs/a.yml', doing)).toBe(words);
});

test('a package mounts its cordis entry if it has one, else its main export, from the folder of the file or else the fallback', async () => {
  const addPackage = (root: string, name: string, files: Record<string, string>, exports: Record<string, string>) => {
    const at = join(root, 'node_modules', name);
    mkdirSync(at, { recursive: true });
    writeFileSync(join(at, 'package.json'), JSON.stringify({ name, type: 'module', exports }));
    for (const [file, text] of Object.entries(files)) writeFileSync(join(at, file), text);
  };
  const plugin = (label: string) => `export default { apply: () => void globalThis.__record.push('${label}') }`;
  const near = join(folder, 'near');
  const far = join(folder, 'far');
  addPackage(
    near,
    'both',
    { 'main.js': 'export const x = 1', 'cordis.js': plugin('both/cordis') },
    { '.': './main.js', './cordis': './cordis.js' },
  );
  addPackage(near, '@scope/main-only', { 'main.js': plugin('main-only') }, { '.': './main.js' });
  addPackage(
    near,
    'entry',
    { 'main.js': 'export {}', 'policy.js': plugin('entry/policy') },
    { '.': './main.js', './policy': './policy.js' },
  );
  addPackage(near, 'shared', { 'main.js': plugin('near shared') }, { '.': './main.js' });
  addPackage(far, 'shared', { 'main.js': plugin('far shared') }, { '.': './main.js' });
  addPackage(far, 'far-only', { 'main.js': plugin('far-only') }, { '.': './main.js' });
  const names = ['both', '@scope/main-only', 'entry/policy', 'shared', 'far-only'];
  await load(
    names.map((name) => ({ name })),
    { folder: near, fallbacks: [pathToFileURL(join(far, 'bin.js')).href] },
  );
  expect(record).toEqual(['both/cordis', 'main-only', 'entry/policy', 'near shared', 'far-only']);
});

test('a watched file is taken over when it changes, and a broken one leaves things as they are and is reported', async () => {
  const errors: string[] = [];
  const changes: string[] = [];
  const line = (label: string) => `- { id: a, name: ${join(plugins, 'record.mjs')}, config: { label: ${label} } }\n`;
  await loadFile('cordis.yml', line('one'), {
    watch: true,
    onError: (error) => errors.push(error.code),
    onChange: (row) => changes.push(`${row.id} ${row.state}`),
  });
  writeFileSync(join(folder, 'cordis.yml'), line('two'));
  await expect.poll(() => record).toEqual(['start one', 'stop one', 'start two']);
  writeFileSync(join(folder, 'cordis.yml'), '- [');
  await expect.poll(() => errors).toEqual(['CONFIG_SYNTAX']);
  expect(record).toEqual(['start one', 'stop one', 'start two']);
  expect(changes.at(-1)).toBe('a active');
});
