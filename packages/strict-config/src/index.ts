export { ConfigError, type ConfigViolation } from './errors.ts';
export { type StrictConfig, strictConfig } from './strict-config.ts';
