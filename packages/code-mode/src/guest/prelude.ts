// The guest's own part of code mode: `text`, `json`, `yield_control`, and the completion value made JSON.
import { defineProperty, freeze, nativeStringify, promiseThen, StringOf } from './intrinsics.ts';
import { type Conversion, toJson } from './to-json.ts';

/** What a runtime gives a prelude. */
export interface PreludeHost {
  emit(item: { type: 'text'; text: string } | { type: 'json'; value: unknown } | { type: 'note'; text: string }): void;
  control(name: string, payload: unknown): Promise<undefined>;
  onValue(fn: (value: unknown) => unknown): void;
}

const MOST_NOTED = 5;

export function install(host: PreludeHost): void {
  const { emit, control } = host;

  const note = (conversions: readonly Conversion[], lossyOnly: boolean): void => {
    let text = '';
    let noted = 0;
    for (let index = 0; index < conversions.length; index++) {
      const { path, what, lossy } = conversions[index]!;
      if (lossyOnly && !lossy) continue;
      if (noted++ < MOST_NOTED) text += `${noted === 1 ? '' : '; '}${path}: ${what}`;
    }
    if (noted > MOST_NOTED) text += `; and ${noted - MOST_NOTED} more`;
    if (noted > 0) emit({ type: 'note', text });
  };

  const globals = {
    text(value: unknown): void {
      if (typeof value === 'string') {
        emit({ type: 'text', text: value });
        return;
      }
      const { value: made, conversions } = toJson(value, 'text');
      emit({
        type: 'text',
        text: typeof made === 'string' ? made : made === undefined ? 'undefined' : nativeStringify(made),
      });
      note(conversions, true);
    },
    json(value: unknown): void {
      const { value: made, conversions } = toJson(value, 'json');
      emit({ type: 'json', value: made === undefined ? null : made });
      note(conversions, true);
    },
    yield_control(reason?: unknown): Promise<{ status: 'yielded'; reason: string | null }> {
      const given = reason === undefined || reason === null ? null : StringOf(reason);
      return promiseThen(control('yield', { reason: given }), () => ({
        status: 'yielded' as const,
        reason: given,
      })) as Promise<{
        status: 'yielded';
        reason: string | null;
      }>;
    },
  };
  defineGlobal('text', globals.text);
  defineGlobal('json', globals.json);
  defineGlobal('yield_control', globals.yield_control);

  host.onValue((value) => {
    if (value === undefined) return undefined;
    const { value: made, conversions } = toJson(value, 'value');
    note(conversions, false);
    return made;
  });
}

function defineGlobal(name: string, value: object): void {
  defineProperty(globalThis, name, { value: freeze(value), writable: false, enumerable: true, configurable: false });
}
