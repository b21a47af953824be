// Every published package that changed since its last release is named by a changeset. Needs no remote branch: a release is
// the commit that last wrote the package's CHANGELOG.md, and a package without one has never been released.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();

const packages = readdirSync(join(root, 'packages'))
  .map((folder) => ({ folder, ...JSON.parse(readFileSync(join(root, 'packages', folder, 'package.json'), 'utf8')) }))
  .filter((it) => !it.private);

function hasChanged({ folder }) {
  const changelog = `packages/${folder}/CHANGELOG.md`;
  if (!existsSync(join(root, changelog))) return true;
  const release = git('log', '-1', '--format=%H', '--', changelog);
  if (release === '') return true;
  return git('diff', '--name-only', release, 'HEAD', '--', `packages/${folder}`, `:!${changelog}`) !== '';
}

/** The packages that the changesets name; what is wrong with a changeset ends the check. */
function readChangesets() {
  const named = new Set();
  const names = new Set(packages.map((it) => it.name));
  for (const file of readdirSync(join(root, '.changeset')).filter(
    (name) => name.endsWith('.md') && name !== 'README.md',
  )) {
    const text = readFileSync(join(root, '.changeset', file), 'utf8');
    const [, head, summary] = /^---\n([\s\S]*?)\n?---\n([\s\S]*)$/.exec(text) ?? fail(`${file} is not a changeset`);
    if (summary.trim() === '') fail(`${file} says nothing about the change`);
    for (const line of head.split('\n').filter(Boolean)) {
      const [, name] =
        /^["']?([^"':]+)["']?: (?:major|minor|patch)$/.exec(line) ?? fail(`${file}: cannot read "${line}"`);
      if (!names.has(name)) fail(`${file} names ${name}, which is no published package`);
      named.add(name);
    }
  }
  return named;
}

function fail(message) {
  process.stderr.write(`changesets: ${message}\n`);
  process.exit(1);
}

const named = readChangesets();
const missing = packages.filter((it) => hasChanged(it) && !named.has(it.name)).map((it) => it.name);
if (missing.length > 0) fail(`no changeset for ${missing.join(', ')}; pnpm changeset writes one`);
process.stdout.write(`changesets: ${packages.length} packages, each change has one\n`);
