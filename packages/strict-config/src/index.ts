export { ConfigError, type ConfigViolation } from './errors.ts';
export { JsonSyntaxError, parseCommentedJson } from './parse-commented-json.ts';
export { type StrictConfig, strictConfig } from './strict-config.ts';
