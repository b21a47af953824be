// The packages of this repository as data, for tests over all of them.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

export interface WorkspacePackage {
  /** The folder's name under packages/. */
  folder: string;
  name: string;
  manifest: Manifest;
  /** Source files that are published (no tests, no fixtures, nothing for tests), relative to the root. */
  sources: string[];
}

export interface Manifest {
  name: string;
  dependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  exports: Record<string, Record<string, string> | string>;
}

export function readPackages(): WorkspacePackage[] {
  return readdirSync(join(root, 'packages')).map((folder) => {
    const manifest = JSON.parse(readFileSync(join(root, 'packages', folder, 'package.json'), 'utf8')) as Manifest;
    return { folder, name: manifest.name, manifest, sources: listSources(join('packages', folder, 'src')) };
  });
}

function listSources(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return ['fixtures', 'testing'].includes(entry.name) ? [] : listSources(path);
    return /\.ts$/.test(entry.name) && !/\.test\.ts$/.test(entry.name) ? [path] : [];
  });
}

/** Module specifiers that a source imports or re-exports. */
export function importsOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8');
  const pattern =
    /(?:^|\n)\s*(?:import|export)\b[^'"`;]*?from\s*'([^']+)'|(?:^|\n)\s*import\s*'([^']+)'|\bimport\(\s*'([^']+)'\s*\)/g;
  return [...text.matchAll(pattern)].map((match) => (match[1] ?? match[2] ?? match[3])!);
}
