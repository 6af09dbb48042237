declare module "*.css?inline" {
  const text: string;
  export default text;
}
declare module "*.woff2?no-inline" {
  const url: string;
  export default url;
}
