/** Files that the build turns into addresses. */
declare module "*.webp?no-inline" {
  const address: string;
  export default address;
}

declare module "*.css";
