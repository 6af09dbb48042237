declare module "*/viewer.css";
