// Makes `npm run demo` and `npm test` work in a bare clone: brings the pinned pnpm, installs, builds, then does the job.
// Plain Node with no dependencies. What is up to date is skipped, so that a second run needs no network.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const OLDEST_NODE = [20, 19];
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const tools = join(root, '.tools');
const stampFile = join(tools, 'stamp.json');
const NETWORK =
  /ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNREFUSED|ECONNRESET|ENETUNREACH|META_FETCH_FAIL|ERR_SOCKET|ENOTCACHED/;

const jobs = {
  /** Install and build, nothing else. */
  setup: async () => 0,
  demo: (args) => run(process.execPath, [join(root, 'scripts/demo.mjs'), ...args]),
  test: async (args) => (await import('./run-tests.mjs')).runTests(root, args),
  /** The suites that have a long form, which CODESEAM_LONG=1 switches on. */
  long: async (args) => (await import('./run-tests.mjs')).runLongForms(root, args),
  /** The command line; paths are relative to where npm was called. */
  codeseam: (args) => run(process.execPath, [join(root, 'packages/cli/dist/bin.js'), ...args], process.env.INIT_CWD),
};

class SetupError extends Error {}

async function main([name = 'setup', ...args]) {
  checkNode();
  const job = jobs[name];
  if (!job) throw new SetupError(`unknown job ${name}; there are ${Object.keys(jobs).join(', ')}`);
  await install();
  await build();
  return await job(args);
}

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])) return;
  throw new SetupError(`Node ${OLDEST_NODE.join('.')} or newer is needed, this is ${process.versions.node}`);
}

async function install() {
  const wanted = hashFiles(['pnpm-lock.yaml', 'pnpm-workspace.yaml', '.npmrc', 'package.json', ...manifests()]);
  if (readStamp().install === wanted && existsSync(join(root, 'node_modules/.modules.yaml'))) return;
  const pnpm = await bringPnpm();
  note('installing dependencies');
  const flags = ['install', '--frozen-lockfile', '--prefer-offline', '--config.confirmModulesPurge=false'];
  await quietly(process.execPath, [pnpm, ...flags], 'pnpm install');
  writeStamp({ install: wanted });
}

async function build() {
  const wanted = hashFiles(sources());
  const isBuilt = packages().every((folder) => existsSync(join(root, folder, 'dist')));
  if (readStamp().build === wanted && isBuilt) return;
  const pnpm = await bringPnpm();
  note('building the packages');
  const packagesOnly = ['-r', '--workspace-concurrency=2', '--filter', './packages/*', 'run', 'build'];
  await quietly(process.execPath, [pnpm, ...packagesOnly], 'the build', { env: { CODESEAM_DECLARATIONS: 'later' } });
  await quietly(process.execPath, [join(root, 'scripts/build-declarations.mjs')], 'the build of declarations');
  writeStamp({ build: wanted });
}

/** The path of pnpm's program, in the version that package.json pins. */
async function bringPnpm() {
  const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const [, version] = /^pnpm@([\w.-]+)/.exec(packageManager);
  const home = join(tools, `pnpm-${version}`);
  const program = join(home, 'node_modules/pnpm/bin/pnpm.cjs');
  if (existsSync(program)) return program;
  note(`bringing pnpm ${version}`);
  mkdirSync(home, { recursive: true });
  // Its own package.json, so that npm neither looks at nor changes the workspace's.
  writeFileSync(join(home, 'package.json'), '{"private":true}\n');
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const flags = ['install', `pnpm@${version}`, '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', home];
  try {
    await quietly(npm, flags, `npm install pnpm@${version}`, { cwd: home });
  } catch (error) {
    rmSync(home, { recursive: true, force: true });
    throw error;
  }
  return program;
}

function packages() {
  return readdirSync(join(root, 'packages')).map((name) => join('packages', name));
}

function manifests() {
  return [...packages(), 'bench', 'tests', ...children('examples')]
    .map((folder) => join(folder, 'package.json'))
    .filter((file) => existsSync(join(root, file)));
}

function children(folder) {
  return existsSync(join(root, folder)) ? readdirSync(join(root, folder)).map((name) => join(folder, name)) : [];
}

/** Everything that a build reads. */
function sources() {
  const recipe = ['package-build.ts', 'bundle-text.ts', 'build-declarations.mjs'];
  const files = ['tsconfig.base.json', 'pnpm-lock.yaml', ...recipe.map((name) => join('scripts', name))];
  for (const folder of packages()) {
    files.push(join(folder, 'package.json'), join(folder, 'tsup.config.ts'), ...listFiles(join(folder, 'src')));
  }
  return files.filter((file) => existsSync(join(root, file)));
}

function listFiles(folder) {
  const found = [];
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (entry.name !== 'fixtures') found.push(...listFiles(path));
    } else if (!entry.name.endsWith('.test.ts')) found.push(path);
  }
  return found;
}

function hashFiles(files) {
  const hash = createHash('sha256').update(process.versions.node.split('.')[0]);
  for (const file of [...files].sort()) {
    const path = join(root, file);
    hash.update(`\0${relative(root, path)}\0`).update(existsSync(path) ? readFileSync(path) : '');
  }
  return hash.digest('hex');
}

function readStamp() {
  try {
    return JSON.parse(readFileSync(stampFile, 'utf8'));
  } catch {
    return {};
  }
}

function writeStamp(part) {
  const next = `${JSON.stringify({ ...readStamp(), ...part }, null, 2)}\n`;
  mkdirSync(tools, { recursive: true });
  writeFileSync(stampFile, next);
}

function note(text) {
  process.stderr.write(`codeseam: ${text} ...\n`);
}

/** Runs a command whose output nobody needs unless it fails. */
function quietly(command, args, what, { cwd = root, env = {} } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: command.endsWith('.cmd'),
    });
    let output = '';
    const keep = (chunk) => {
      output = (output + chunk).slice(-200_000);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.on('error', (error) => reject(new SetupError(`${what} could not be started: ${error.message}`)));
    child.on('close', (code) => {
      if (code === 0) return resolve();
      if (NETWORK.test(output)) {
        return reject(new SetupError('the npm registry cannot be reached; the first run needs it, later ones do not'));
      }
      process.stderr.write(`${output.trimEnd().split('\n').slice(-40).join('\n')}\n`);
      reject(new SetupError(`${what} failed (exit code ${code}); its last lines are above`));
    });
  });
}

/** Runs a command in the foreground. Resolves with its exit code. */
function run(command, args, cwd = process.cwd()) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, stdio: 'inherit' });
    child.on('error', reject);
    child.on('close', (code, signal) => resolve(signal ? 130 : code));
    // The child gets the terminal's signal itself; this process waits for it.
    for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  });
}

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error) => {
    process.stderr.write(error instanceof SetupError ? `codeseam: ${error.message}\n` : `${error.stack}\n`);
    process.exitCode = 2;
  },
);
