// A project outside of the workspace that installs the packed packages: types of every entry, and one program.
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { check, runCommand } from './run-command.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const pnpm = join(root, `.tools/pnpm-${packageManager.slice('pnpm@'.length)}/node_modules/pnpm/bin/pnpm.cjs`);
const project = mkdtempSync(join(tmpdir(), 'codeseam-consumer-'));
const packages = readdirSync(join(root, 'packages')).map((folder) => ({
  folder,
  ...JSON.parse(readFileSync(join(root, 'packages', folder, 'package.json'), 'utf8')),
}));
/** Packages that are cordis on their main entry too. */
const CORDIS = ['@codeseam/cordis-loader', 'codeseam'];
/** Packages over a library whose own declarations do not type-check without the DOM's. */
const OVER_LOOSE_LIBRARIES = ['@codeseam/ai-sdk'];

const entries = packages.flatMap(({ name, exports }) =>
  Object.keys(exports)
    .filter((entry) => entry !== './package.json')
    .map((entry) => name + entry.slice(1)),
);
const isCordis = (entry) => CORDIS.includes(entry) || entry.endsWith('/cordis');
const isLoose = (entry) => OVER_LOOSE_LIBRARIES.includes(entry);
const plain = entries.filter((entry) => !isCordis(entry) && !isLoose(entry) && !entry.endsWith('/conformance'));
const imports = (list) => `${list.map((entry, index) => `export * as entry${index} from '${entry}';`).join('\n')}\n`;

try {
  await pack();
  await install();
  writeFileSync(join(project, 'plain.ts'), imports(plain));
  writeFileSync(join(project, 'loose.ts'), imports(entries.filter(isLoose)));
  writeFileSync(join(project, 'cordis.ts'), imports(entries.filter(isCordis)));
  // cordis' own declarations need a bundler's resolution; everything else must type-check under Node's, libraries included.
  await typeCheck('plain', { module: 'NodeNext', moduleResolution: 'NodeNext', skipLibCheck: false });
  await typeCheck('loose', { module: 'NodeNext', moduleResolution: 'NodeNext', skipLibCheck: true });
  await typeCheck('cordis', { module: 'ESNext', moduleResolution: 'bundler', skipLibCheck: true });
  await runProgram();
  process.stdout.write(`${packages.length} packages packed, ${entries.length} entries type-checked, one program run\n`);
} catch (error) {
  check(false, error.message);
} finally {
  rmSync(project, { recursive: true, force: true });
}

async function pack() {
  mkdirSync(join(project, 'tarballs'));
  for (const { folder } of packages) {
    const args = [pnpm, 'pack', '--pack-destination', join(project, 'tarballs')];
    await runCommand(process.execPath, args, { cwd: join(root, 'packages', folder) });
  }
}

async function install() {
  const tarballs = readdirSync(join(project, 'tarballs'));
  const fileOf = ({ name, version }) => {
    const file = `${name.replace('@', '').replace('/', '-')}-${version}.tgz`;
    check(tarballs.includes(file), `${name} was not packed as ${file}: ${tarballs.join(', ')}`);
    return `file:./tarballs/${file}`;
  };
  const ours = Object.fromEntries(packages.map((it) => [it.name, fileOf(it)]));
  const pinned = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).devDependencies;
  const cordis = packages.find((it) => it.name === 'codeseam').dependencies.cordis;
  const others = { typescript: pinned.typescript, '@types/node': pinned['@types/node'], cordis };
  const manifest = { private: true, type: 'module', dependencies: { ...ours, ...others }, overrides: ours };
  writeFileSync(join(project, 'package.json'), JSON.stringify(manifest, null, 2));
  const flags = ['install', '--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts'];
  await runCommand('npm', flags, { cwd: project });
}

async function typeCheck(name, options) {
  const compilerOptions = {
    target: 'ES2022',
    lib: ['ES2023'],
    types: ['node'],
    strict: true,
    noEmit: true,
    ...options,
  };
  writeFileSync(join(project, `tsconfig.${name}.json`), JSON.stringify({ compilerOptions, files: [`${name}.ts`] }));
  const tsc = join(project, 'node_modules/typescript/bin/tsc');
  await runCommand(process.execPath, [tsc, '-p', `tsconfig.${name}.json`], { cwd: project });
}

async function runProgram() {
  cpSync(join(root, 'scripts/consumer-program.mjs'), join(project, 'program.mjs'));
  const { stdout } = await runCommand(process.execPath, ['program.mjs'], { cwd: project });
  check(stdout.trim() === '{"status":"completed","value":[3,4]}', `the program printed ${stdout}`);
  const bin = join(project, 'node_modules/.bin/codeseam');
  const { stdout: sum } = await runCommand(bin, ['exec', '--code', 'return 6 * 7'], { cwd: project });
  check(sum.trim() === '42', `codeseam exec printed ${sum}`);
}
