// Turns everything that a program writes into output items: its console, stdout and stderr.
import { Writable } from 'node:stream';
import { type ConsoleLevel, define, makeConsole, nativeStringify } from '@codeseam/code-runtime/guest';
import { LineSplitter } from '../line-splitter.ts';
import { labelOf } from './describe-failure.ts';

/** Installs the capture; gives what hands over the text that has no line end yet. */
export function captureOutput(emit: (item: string) => void): () => void {
  const write = (level: ConsoleLevel, text: string) =>
    emit(`{"type":"log","level":"${level}","text":${nativeStringify(text)}}`);
  define(globalThis, 'console', makeConsole(write, { labelOf }), false);
  const out = new LineSplitter((line) => write('log', line));
  const err = new LineSplitter((line) => write('error', line));
  define(process, 'stdout', streamTo(out), true);
  define(process, 'stderr', streamTo(err), true);
  return () => {
    out.end();
    err.end();
  };
}

function streamTo(lines: LineSplitter): Writable {
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.add(chunk.toString());
      done();
    },
  });
}
