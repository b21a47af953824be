// Programs that the build bundles into one string (scripts/bundle-text.ts).
declare module '*?bundle=guest' {
  const code: string;
  export default code;
}
