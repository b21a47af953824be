// Cards: what an interface may draw for a call and its result, as the tool itself describes it.
import { cutText, type JsonValue, toLosslessJson } from '@codeseam/lossless-json';
import { readableJson } from './readable-json.ts';
import { isRecord } from './schema/schema-keywords.ts';
import { copyContent } from './tool-content.ts';
import type { ToolRecord } from './tool-record.ts';
import type { CallCard, ResultCard, ToolCallOutcome } from './types.ts';

/** Longest text of the input that a card shows. */
const MAX_INPUT_BYTES = 16_384;

/** The tool's own card, or a plain one where it has none, fails, or is not known. */
export function callCard(record: ToolRecord | undefined, name: string, args: unknown): CallCard {
  const given = readable(args);
  const own = attempt(() => record?.definition.presentCall?.(given as never));
  if (isRecord(own) && typeof own['title'] === 'string') {
    const { title, kind, input, details } = own;
    return {
      title,
      ...(typeof kind === 'string' ? { kind } : {}),
      ...(isRecord(input) && typeof input['text'] === 'string'
        ? { input: inputOf(input['text'], input['language']) }
        : {}),
      ...(details === undefined ? {} : { details: readable(details) }),
    };
  }
  return { title: record?.definition.title ?? name, input: inputOf(readableJson(given), 'json') };
}

/** The tool's own card, or the final content. */
export function resultCard(record: ToolRecord | undefined, args: unknown, outcome: ToolCallOutcome): ResultCard {
  const own = attempt(() => record?.definition.presentResult?.(readable(args) as never, outcome));
  if (!isRecord(own)) return { content: [...outcome.content] };
  const { title, content, details } = own;
  const blocks = content === undefined ? undefined : attempt(() => copyContent(content, 'content'));
  return {
    ...(typeof title === 'string' ? { title } : {}),
    content: blocks ?? [...outcome.content],
    ...(details === undefined ? {} : { details: readable(details) }),
  };
}

function inputOf(text: string, language: unknown): { language?: string; text: string } {
  return { ...(typeof language === 'string' ? { language } : {}), text: cutText(text, MAX_INPUT_BYTES) };
}

function readable(value: unknown): JsonValue {
  return attempt(() => toLosslessJson(value ?? {})) ?? {};
}

/** A card is never worth a failure. */
function attempt<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}
