// What a run shows the model, over all its legs, within one byte budget: cut to fit, the whole of it kept.
import type { CodeOutputItem } from '@codeseam/code-runtime';
import { type JsonValue, jsonBytes } from '@codeseam/lossless-json';
import type { CodeModeOutput } from '../types.ts';
import { cutJson } from './cut-json.ts';
import { shareBytes } from './share-bytes.ts';

/** Any part may be cut down to this, and not further. */
const LEAST_PART_BYTES = 160;
/** Items that are held once the run has failed: the first ones can still be shown. */
const MOST_HELD_AFTER_OVERFLOW = 1_000;
/** For the note that says what was cut. */
const NOTE_BYTES = 320;
/** `,"truncated":true,"ref":"result-123456"` */
const REF_BYTES = 48;

export interface OutputCollectorOptions {
  /** `maxOutputBytes` of the run. */
  maxBytes: number;
  /** Keeps the whole of what was cut; gives its ref, or undefined where it is too large to keep. */
  keep(value: JsonValue): string | undefined;
  /** Called with each item as it comes. */
  onItem?(item: CodeOutputItem): void;
}

export interface TakenOutput {
  output: CodeModeOutput[];
  /** The value as it may be shown. */
  value?: JsonValue;
  truncated?: true;
  ref?: string;
  /** More items than cutting could make fit: the ones at the end are left out, and the run has failed. */
  overflow: boolean;
}

type Part = { item: CodeOutputItem; bytes: number } | { value: JsonValue; bytes: number };

export class OutputCollector {
  #fresh: { item: CodeOutputItem; bytes: number }[] = [];
  #freshLeast = 0;
  /** Whether items came after the overflow that are not even held. */
  #dropped = false;
  #used = 0;
  readonly #options: OutputCollectorOptions;

  constructor(options: OutputCollectorOptions) {
    this.#options = options;
  }

  add(item: CodeOutputItem): void {
    const bytes = jsonBytes(item as unknown as JsonValue, this.#options.maxBytes) + 1;
    this.#freshLeast += Math.min(bytes, LEAST_PART_BYTES);
    // What can never be shown need not be held either.
    if (this.overflow && this.#fresh.length >= MOST_HELD_AFTER_OVERFLOW) this.#dropped = true;
    else this.#fresh.push({ item, bytes });
    this.#options.onItem?.(item);
  }

  /** Whether what came since the last `take` cannot be made to fit any more. */
  get overflow(): boolean {
    return this.#freshLeast > this.#allowance(false) - NOTE_BYTES;
  }

  /** Bytes that a failure's text may take. */
  get left(): number {
    return Math.max(0, this.#options.maxBytes - this.#used);
  }

  /**
   * What is new since the last time, and at the end the value.
   *
   * @param options.last whether nothing comes after; else a part of the budget is left for what does.
   * @param options.reserved bytes of a failure's text, shown beside.
   */
  take(options: { last: boolean; value?: JsonValue; reserved?: number }): TakenOutput {
    const allowance = this.#allowance(options.last) - (options.reserved ?? 0);
    const parts: Part[] = this.#fresh;
    const { value } = options;
    const all = value === undefined ? parts : [...parts, { value, bytes: jsonBytes(value, this.#options.maxBytes) }];
    this.#fresh = [];
    this.#freshLeast = 0;
    this.#used += options.reserved ?? 0;
    const total = all.reduce((sum, { bytes }) => sum + bytes, 0);
    const fits = total <= allowance && !this.#dropped;
    const taken = fits ? whole(all) : this.#fit(all, allowance - NOTE_BYTES);
    this.#used += taken.output.reduce((sum, item) => sum + jsonBytes(item as unknown as JsonValue) + 1, 0);
    if (taken.value !== undefined) this.#used += jsonBytes(taken.value);
    return taken;
  }

  /** A leg that is not the last leaves a quarter of what is left. */
  #allowance(last: boolean): number {
    return last ? this.left : Math.floor((this.left * 3) / 4);
  }

  #fit(parts: readonly Part[], room: number): TakenOutput {
    const least = parts.reduce((sum, { bytes }) => sum + Math.min(bytes, LEAST_PART_BYTES), 0);
    if (least > room || this.#dropped) return this.#prefix(parts, room);
    const shares = shareBytes(
      parts.map(({ bytes }) => bytes),
      room,
    );
    const taken: TakenOutput = { output: [], overflow: false };
    const refs: (string | undefined)[] = [];
    for (const [index, part] of parts.entries()) {
      const share = shares[index]!;
      if (share >= part.bytes) {
        if ('item' in part) taken.output.push(part.item);
        else taken.value = part.value;
        continue;
      }
      const whole: JsonValue =
        'value' in part ? part.value : part.item.type === 'json' ? part.item.value : part.item.text;
      const ref = this.#options.keep(whole);
      refs.push(ref);
      const mark = { truncated: true as const, ...(ref === undefined ? {} : { ref }) };
      if ('value' in part) {
        taken.value = cutJson(part.value, share - REF_BYTES) ?? null;
        Object.assign(taken, mark);
      } else {
        taken.output.push({ ...cutItem(part.item, share - REF_BYTES - 1), ...mark });
      }
    }
    taken.output.push({ type: 'note', text: cutNote(refs) });
    return taken;
  }

  /** The first items that fit; the value, if there is one, is left out. */
  #prefix(parts: readonly Part[], room: number): TakenOutput {
    const output: CodeModeOutput[] = [];
    let left = room;
    for (const part of parts) {
      if (!('item' in part) || part.bytes > left) break;
      output.push(part.item);
      left -= part.bytes;
    }
    output.push({
      type: 'note',
      // No count: a run that has failed stops listening, so nobody knows how much there was.
      text: 'further output was dropped',
    });
    this.#dropped = false;
    return { output, overflow: true };
  }
}

function whole(parts: readonly Part[]): TakenOutput {
  const taken: TakenOutput = { output: [], overflow: false };
  for (const part of parts) {
    if ('item' in part) taken.output.push(part.item);
    else taken.value = part.value;
  }
  return taken;
}

function cutItem(item: CodeOutputItem, bytes: number): CodeOutputItem {
  if (item.type === 'json') {
    const wrapper = jsonBytes({ type: 'json', value: null }) - 4;
    return { type: 'json', value: cutJson(item.value, bytes - wrapper) ?? '…' };
  }
  const wrapper = jsonBytes({ ...item, text: '' } as unknown as JsonValue) - 2;
  return { ...item, text: (cutJson(item.text, bytes - wrapper) as string | undefined) ?? '…' };
}

function cutNote(refs: readonly (string | undefined)[]): string {
  const ref = refs.find((it) => it !== undefined);
  const how =
    ref === undefined
      ? 'it is too large to keep (keptResultsBytes): return less, or a part of it'
      : `the whole is kept: in a later program, await results.read(${JSON.stringify(ref)}, { offset: 0, limit: 10000 })`;
  return `${refs.length === 1 ? 'one part was' : `${refs.length} parts were`} cut to fit maxOutputBytes; ${how}`;
}
