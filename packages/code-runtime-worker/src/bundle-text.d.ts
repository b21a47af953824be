// Programs that the build bundles into one string (scripts/bundle-text.ts).
declare module '*?bundle=worker' {
  const code: string;
  export default code;
}
