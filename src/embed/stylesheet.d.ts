declare module "*/loader.css?inline" {
  const text: string;
  export default text;
}
