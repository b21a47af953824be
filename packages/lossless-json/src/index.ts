export { cutJsonText, cutText } from './cut-text.ts';
export { type LosslessJsonCode, LosslessJsonError } from './errors.ts';
export { freezeJson } from './freeze-json.ts';
export { jsonBytes } from './json-bytes.ts';
export { type JsonValue, MAX_JSON_DEPTH } from './json-value.ts';
export { losslessItemsText, losslessJsonText } from './lossless-json-text.ts';
export { parseJson, parseWrittenJson } from './parse-json.ts';
export { stringifyJson } from './stringify-json.ts';
export { type LosslessJsonOptions, toLosslessJson } from './to-lossless-json.ts';
