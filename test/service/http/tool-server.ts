import type { RunningService } from "../service-fixture.ts";

/** Adds the tool server `m1`, named "orders", whose secret header is "Bearer canary". */
export async function putToolServer({ store, organizationId }: RunningService): Promise<void> {
  await store.catalogue.put({
    kind: "mcp_server",
    id: "m1",
    name: "orders",
    organizationId,
    createdAtMs: 0,
    body: {
      mcpserver_id: "m1",
      name: "orders",
      organization: organizationId,
      url: "https://tools.example",
      description: "",
      auth_header: "Bearer canary",
      transport_protocol: "sse",
      server_timeout_sec: 5,
      extra_data: null,
    },
  });
}
