declare module "*.css?inline" {
  const text: string;
  export default text;
}
declare module "*.woff2?url" {
  const url: string;
  export default url;
}
