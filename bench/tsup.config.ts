import { packageBuild } from '../scripts/package-build.ts';

export default packageBuild(['src/main.ts', 'src/apart.ts', 'src/cases/*.ts', 'src/work/*.ts'], { dts: false });
