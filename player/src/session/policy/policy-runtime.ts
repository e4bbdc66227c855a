/** onnxruntime-web as far as policies need it: WebAssembly, one thread. The only file that knows it. */

type OnnxRuntime = typeof import("onnxruntime-web/wasm");

export interface RuntimeTensor {
  readonly data: Float32Array;
}

export interface RuntimeSession {
  /** Shapes by name; an axis without a fixed length has a name instead. */
  readonly inputs: Readonly<Record<string, readonly (number | string)[]>>;
  readonly outputs: Readonly<Record<string, readonly (number | string)[]>>;
  run(inputs: Readonly<Record<string, RuntimeTensor>>): Promise<Readonly<Record<string, RuntimeTensor>>>;
}

export interface PolicyRuntime {
  /** Keeps the thread busy for some tenths of a second when it is called first. Rejects for what is no model. */
  startSession(model: Uint8Array): Promise<RuntimeSession>;
  /** A row of numbers as a model takes it. */
  tensor(values: readonly number[]): RuntimeTensor;
}

/** @param wasmUrl where its WebAssembly is; null where the module finds it beside itself */
export function policyRuntime(onnx: OnnxRuntime, wasmUrl: string | null): PolicyRuntime {
  onnx.env.wasm.numThreads = 1;
  onnx.env.logLevel = "error";
  if (wasmUrl !== null) {
    onnx.env.wasm.wasmPaths = { wasm: wasmUrl };
  }
  return {
    startSession: async (model) => {
      const session = await onnx.InferenceSession.create(model, { executionProviders: ["wasm"] });
      return {
        inputs: shapesIn(session.inputMetadata),
        outputs: shapesIn(session.outputMetadata),
        run: async (inputs) => (await session.run(inputs as never)) as never,
      };
    },
    tensor: (values) =>
      new onnx.Tensor("float32", Float32Array.from(values), [1, values.length]) as RuntimeTensor,
  };
}

type Metadata = import("onnxruntime-web/wasm").InferenceSession["inputMetadata"];

function shapesIn(metadata: Metadata): Record<string, readonly (number | string)[]> {
  return Object.fromEntries(metadata.map((value) => [value.name, value.isTensor ? value.shape : []]));
}
