export { nearestNames } from './nearest-names.ts';
