// The text of one console call: its arguments side by side, with the placeholders of a format string filled in.
import { type FormatOptions, formatValue } from './format-value.ts';
import { isNotNumber, slice, symbolToString, toNumber, toText, trunc } from './intrinsics.ts';

/** What a console call shows: strings as they are, everything else as `formatValue` shows it. */
export function formatLog(args: readonly unknown[], options: FormatOptions): string {
  let text = '';
  let next = 0;
  if (typeof args[0] === 'string') {
    next = 1;
    text = args.length === 1 ? args[0] : fillIn(args[0]);
  }
  for (let index = next; index < args.length; index++) {
    if (index > 0) text += ' ';
    text += textOf(args[index]);
  }
  return text;

  function textOf(value: unknown): string {
    return typeof value === 'string' ? value : formatValue(value, options);
  }

  /** Replaces `%s`, `%d`, `%i`, `%f`, `%j`, `%o`, `%O`, `%c` and `%%`, each by the next argument while there is one. */
  function fillIn(format: string): string {
    let filled = '';
    let copied = 0;
    for (let at = 0; at < format.length - 1; at++) {
      if (format[at] !== '%') continue;
      const letter = format[at + 1]!;
      const replaced = letter === '%' ? '%' : next < args.length ? fillOne(letter) : undefined;
      if (replaced === undefined) continue;
      filled += slice(format, copied, at) + replaced;
      copied = at + 2;
      at++;
    }
    return filled + slice(format, copied);
  }

  function fillOne(letter: string): string | undefined {
    switch (letter) {
      case 's':
        return textOf(args[next++]);
      case 'd':
      case 'f':
        return numberText(args[next++], false);
      case 'i':
        return numberText(args[next++], true);
      case 'j':
      case 'o':
      case 'O':
        return formatValue(args[next++], options);
      case 'c':
        next++;
        return '';
      default:
        return undefined;
    }
  }
}

function numberText(value: unknown, whole: boolean): string {
  if (typeof value === 'bigint') return `${toText(value)}n`;
  if (typeof value === 'symbol') return symbolToString(value);
  // Converting an object would call its valueOf.
  const number = typeof value === 'object' || typeof value === 'function' ? Number.NaN : toNumber(value);
  return toText(whole && !isNotNumber(number) ? trunc(number) : number);
}
