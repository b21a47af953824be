import { packageBuild } from '../scripts/package-build.ts';

// Everything measured stays where it is installed, as its users have it.
export default packageBuild(['src/main.ts', 'src/apart.ts', 'src/cases/*.ts', 'src/work/*.ts'], {
  dts: false,
  skipNodeModulesBundle: true,
});
