export { createSwarm, type SwarmServices } from './create-swarm.ts';
export * from './types.ts';
