// Why a file could not be read or written, in words instead of the system's codes.
import { dirname } from 'node:path';
import { messageOf } from './errors.ts';

/**
 * @param path as the person gave it
 * @returns the end of a sentence: `no such file`, `it is a folder`, `its folder docs does not exist`
 */
export function describeFileProblem(error: unknown, path: string, doing: 'read' | 'write'): string {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'ENOENT':
      return doing === 'read' ? 'no such file' : `its folder ${dirname(path)} does not exist`;
    case 'EISDIR':
      return 'it is a folder, not a file';
    case 'ENOTDIR':
    case 'EEXIST':
      return 'a part of its path is a file, not a folder';
    case 'EACCES':
    case 'EPERM':
      return `this user may not ${doing} it`;
    case 'EROFS':
      return 'its file system is read-only';
    case 'ENOSPC':
      return 'the disk is full';
    case 'ENAMETOOLONG':
      return 'its name is too long';
    default:
      return messageOf(error);
  }
}
