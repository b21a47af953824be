import { existsSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, test } from 'vitest';
import { importsOf, readPackages, root, type WorkspacePackage } from './read-packages.ts';

const packages = readPackages();
const byName = new Map(packages.map((it) => [it.name, it]));
const layers = readPicture();

/** The picture in the README: one line a layer, the highest first. */
function readPicture(): string[][] {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const [, picture] = /```text\n([\s\S]*?)```/.exec(readme)!;
  const folders = new Set(packages.map((it) => it.folder));
  return picture!
    .trimEnd()
    .split('\n')
    .map((line) => line.split(/\s{3,}/).filter((word) => folders.has(word)));
}

const layerOf = (folder: string) => layers.findIndex((layer) => layer.includes(folder));

function packageOf(specifier: string): string {
  const parts = specifier.split('/');
  return specifier.startsWith('@') ? parts.slice(0, 2).join('/') : parts[0]!;
}

function ours({ manifest }: WorkspacePackage): WorkspacePackage[] {
  const names = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
  return names.map((name) => byName.get(name)).filter((it) => it !== undefined);
}

test('the picture in the README has every package once', () => {
  expect(layers.flat().sort()).toEqual(packages.map((it) => it.folder).sort());
});

describe.each(packages.map((it) => [it.folder, it] as const))('%s', (folder, it) => {
  test('depends only on packages that lie lower in the picture', () => {
    const wrong = ours(it).filter((other) => layerOf(other.folder) <= layerOf(folder));
    expect(wrong.map((other) => other.folder)).toEqual([]);
  });

  test('imports only what its package.json declares, and nothing outside its own sources', () => {
    const declared = new Set(Object.keys({ ...it.manifest.dependencies, ...it.manifest.peerDependencies }));
    const wrong = it.sources.flatMap((file) =>
      importsOf(file)
        .filter((specifier) => {
          if (specifier.startsWith('node:') || builtinModules.includes(specifier)) return false;
          if (!specifier.startsWith('.'))
            return packageOf(specifier) !== it.name && !declared.has(packageOf(specifier));
          return !normalize(join(dirname(file), specifier)).startsWith(`packages/${folder}/`);
        })
        .map((specifier) => `${file}: ${specifier}`),
    );
    expect(wrong).toEqual([]);
  });

  test('uses every dependency that it declares', () => {
    // By its name anywhere in the sources: what is mounted, resolved or started by name is used too.
    const text = it.sources.map((file) => readFileSync(join(root, file), 'utf8')).join('\n');
    const unused = Object.keys(it.manifest.dependencies ?? {}).filter((name) => !text.includes(name));
    expect(unused).toEqual([]);
  });

  test('gives a reason for every dependency from elsewhere in its README or in docs/decisions.md', () => {
    const read = (file: string) => (existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : '');
    const texts = read(`packages/${folder}/README.md`) + read('docs/decisions.md');
    const external = Object.keys(it.manifest.dependencies ?? {}).filter((name) => !byName.has(name));
    expect(external.filter((name) => !texts.includes(name))).toEqual([]);
  });

  test('has a main entry whose sources do not reach cordis', () => {
    if (folder === 'cordis-loader' || folder === 'cli') return;
    expect(
      reachableFrom(`packages/${folder}/src/index.ts`).filter((specifier) => /^cordis($|\/)/.test(specifier)),
    ).toEqual([]);
  });
});

/** Every specifier that the modules reachable by relative imports from an entry import. */
function reachableFrom(entry: string): string[] {
  const seen = new Set<string>();
  const specifiers: string[] = [];
  const queue = [entry];
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    if (seen.has(file) || !existsSync(join(root, file))) continue;
    seen.add(file);
    for (const specifier of importsOf(file)) {
      if (specifier.startsWith('.')) queue.push(normalize(join(dirname(file), specifier.replace(/\?.*$/, ''))));
      else specifiers.push(specifier);
    }
  }
  return specifiers;
}

test('nothing imports a runtime provider', () => {
  const providers = packages.filter((it) => /^code-runtime-/.test(it.folder)).map((it) => it.name);
  const wrong = packages.flatMap((it) =>
    it.sources.filter((file) =>
      importsOf(file).some((specifier) => providers.includes(packageOf(specifier)) && packageOf(specifier) !== it.name),
    ),
  );
  expect(wrong).toEqual([]);
});
