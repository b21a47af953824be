// The console of a guest: every method becomes lines of output.
import { formatLog } from './format-log.ts';
import type { FormatOptions } from './format-value.ts';
import { indexOf, mapDelete, mapGet, mapSet, now, RealMap, slice } from './intrinsics.ts';

export type ConsoleLevel = 'log' | 'info' | 'warn' | 'error' | 'debug';

/** Makes a `console` whose lines go to `write`. */
export function makeConsole(write: (level: ConsoleLevel, text: string) => void, options: FormatOptions): object {
  let margin = '';
  const counts = new RealMap<string, number>();
  const timers = new RealMap<string, number>();

  const emit = (level: ConsoleLevel, text: string): void => write(level, margin === '' ? text : indented(text, margin));
  const labelText = (label: unknown): string => (label === undefined ? 'default' : formatLog([label], options));
  const elapsed = (label: string): string | undefined => {
    const start = mapGet(timers, label);
    return start === undefined ? undefined : `${label}: ${now() - start} ms`;
  };

  // Methods, so that none is a constructor.
  return {
    log: (...args: unknown[]) => emit('log', formatLog(args, options)),
    info: (...args: unknown[]) => emit('info', formatLog(args, options)),
    warn: (...args: unknown[]) => emit('warn', formatLog(args, options)),
    error: (...args: unknown[]) => emit('error', formatLog(args, options)),
    debug: (...args: unknown[]) => emit('debug', formatLog(args, options)),
    trace: (...args: unknown[]) => emit('debug', formatLog(args, options)),
    dir: (value: unknown) => emit('log', formatLog([value], options)),
    table: (value: unknown) => emit('log', formatLog([value], options)),
    assert(condition: unknown, ...args: unknown[]) {
      if (condition) return;
      emit('error', args.length === 0 ? 'Assertion failed' : `Assertion failed: ${formatLog(args, options)}`);
    },
    group(...args: unknown[]) {
      if (args.length > 0) emit('log', formatLog(args, options));
      if (margin.length < 40) margin += '  ';
    },
    groupCollapsed(...args: unknown[]) {
      if (args.length > 0) emit('log', formatLog(args, options));
      if (margin.length < 40) margin += '  ';
    },
    groupEnd() {
      margin = slice(margin, 2);
    },
    count(label?: unknown) {
      const key = labelText(label);
      const count = (mapGet(counts, key) ?? 0) + 1;
      mapSet(counts, key, count);
      emit('log', `${key}: ${count}`);
    },
    countReset(label?: unknown) {
      mapDelete(counts, labelText(label));
    },
    time(label?: unknown) {
      mapSet(timers, labelText(label), now());
    },
    timeLog(label?: unknown) {
      const text = elapsed(labelText(label));
      if (text !== undefined) emit('log', text);
    },
    timeEnd(label?: unknown) {
      const key = labelText(label);
      const text = elapsed(key);
      mapDelete(timers, key);
      if (text !== undefined) emit('log', text);
    },
  };
}

function indented(text: string, margin: string): string {
  let shown = margin;
  let start = 0;
  for (let at = indexOf(text, '\n'); at !== -1; at = indexOf(text, '\n', start)) {
    shown += `${slice(text, start, at)}\n${margin}`;
    start = at + 1;
  }
  return shown + slice(text, start);
}
