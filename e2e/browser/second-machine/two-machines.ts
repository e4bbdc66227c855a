import { runCommand } from "../setup/run-command.ts";

export const SERVER_ADDRESS = "198.18.77.1";
const CLIENT_ADDRESS = "198.18.77.2";

/** Two network namespaces with a cable between them: what one serves on its address the other reaches from outside. */
export class TwoMachines implements AsyncDisposable {
  readonly #names: { readonly server: string; readonly client: string };

  private constructor(names: { server: string; client: string }) {
    this.#names = names;
  }

  /** @throws Error where namespaces cannot be made: that takes root, on Linux, and iproute2 */
  static async create(): Promise<TwoMachines> {
    const id = process.pid;
    const names = { server: `nuwa-server-${id}`, client: `nuwa-client-${id}` };
    const machines = new TwoMachines(names);
    const { server, client } = names;
    try {
      for (const name of [server, client]) await ip("netns", "add", name);
      const ends = [`nws${id}`, `nwc${id}`] as const;
      await ip(
        "link",
        "add",
        ends[0],
        "netns",
        server,
        "type",
        "veth",
        "peer",
        "name",
        ends[1],
        "netns",
        client,
      );
      await machines.#join(server, ends[0], SERVER_ADDRESS);
      await machines.#join(client, ends[1], CLIENT_ADDRESS);
      return machines;
    } catch (error) {
      await machines[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** What goes before a command that is to run on one of them. */
  on(machine: "server" | "client"): readonly string[] {
    return ["ip", "netns", "exec", this.#names[machine]];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const name of Object.values(this.#names)) await runCommand("ip", ["netns", "delete", name]);
  }

  async #join(name: string, device: string, address: string): Promise<void> {
    await ip("-n", name, "address", "add", `${address}/24`, "dev", device);
    for (const each of ["lo", device]) await ip("-n", name, "link", "set", each, "up");
  }
}

async function ip(...args: string[]): Promise<void> {
  const { code, stderr } = await runCommand("ip", args);
  if (code !== 0) throw new Error(`ip ${args.join(" ")}: ${stderr.trim()}`);
}
