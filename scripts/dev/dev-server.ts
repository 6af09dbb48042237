import { join } from "node:path";
import { build, createServer, type InlineConfig, type Plugin, type ViteDevServer } from "vite";
import { freeLocalPort, ServiceRunner } from "./service-runner.ts";

/** Settings of the development server. */
export interface DevOptions {
  /** The root folder of the repository. */
  readonly root: string;
  readonly port: number;
  /** False: only the pages that need no service, such as the gallery. */
  readonly withService: boolean;
}

/** A running development server. */
export interface DevServer {
  readonly origin: string;
  close(): Promise<void>;
}

/** Paths that the service answers. All other paths are pages and modules. */
const servicePaths = "^/(?:(?:api|embed|viewer)/|(?:openapi\\.json|widget\\.js|healthz|readyz|metrics)$)";

/** Builds the loader for each request: it is one plain script, so it cannot be served module by module. */
function freshLoader(root: string): Plugin {
  return {
    name: "fresh-loader",
    configureServer({ middlewares, watcher, ws }) {
      middlewares.use("/embed.js", (_, response, next) => {
        buildLoader(root).then(
          (code) => response.setHeader("content-type", "text/javascript").end(code),
          (error: unknown) => {
            next(error);
          },
        );
      });
      // The loader is not a module of the page, so the page would not reload by itself when it changes.
      watcher.on("change", (file) => {
        if (file.startsWith(join(root, "src/embed/"))) ws.send({ type: "full-reload" });
      });
    },
  };
}

async function buildLoader(root: string): Promise<string> {
  const config: InlineConfig = { root, configFile: join(root, "vite.config.ts"), mode: "embed" };
  const built = await build({ ...config, logLevel: "silent", build: { write: false, sourcemap: false } });
  const [loader] = "output" in built ? built.output : [];
  if (loader?.type !== "chunk") throw new Error("The build of src/embed/embed.ts wrote no script.");
  return loader.code;
}

function pagesConfig({ root, port }: DevOptions, service: ServiceRunner | null): InlineConfig {
  return {
    root,
    configFile: join(root, "vite.config.ts"),
    mode: "browser",
    cacheDir: join(root, "dist/dev/cache"),
    clearScreen: false,
    plugins: [freshLoader(root)],
    // Dependencies are found at the start. At the first request, Vite would reload the page while it loads.
    optimizeDeps: { entries: ["src/widget/define.ts", "src/puppet/index.ts"] },
    server: {
      port,
      strictPort: true,
      fs: { strict: false },
      watch: { ignored: ["dist", ".visavis", "test-results"].map((folder) => join(root, folder, "**")) },
      ...(service && {
        proxy: {
          [servicePaths]: {
            target: `http://127.0.0.1:${service.port}`,
            configure: (proxy) => {
              proxy.on("proxyRes", ({ headers }) => {
                // The policy would block the style elements and scripts of Vite's reload client.
                delete headers["content-security-policy"];
                headers["cache-control"] = "no-store";
              });
            },
          },
        },
      }),
    },
  };
}

/**
 * Serves pages and modules from the source, and the service from a build that is repeated at each change. A change in a
 * page's module reloads the page; a change in the service's source restarts the service and then reloads the page.
 */
export async function startDevServer(options: DevOptions): Promise<DevServer> {
  const { root, port, withService } = options;
  const origin = `http://localhost:${port}`;
  let pages: ViteDevServer | null = null;
  const service = withService
    ? new ServiceRunner({
        root,
        port: await freeLocalPort(),
        publicUrl: origin,
        onRestart: () => pages?.ws.send({ type: "full-reload" }),
      })
    : null;
  pages = await createServer(pagesConfig(options, service));
  await pages.listen();
  await service?.start();
  return {
    origin,
    close: async () => {
      await Promise.all([pages.close(), service?.close()]);
    },
  };
}
