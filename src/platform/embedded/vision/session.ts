/** One ONNX model, ready to run on one thread of the CPU. */

import { InferenceSession, Tensor } from "onnxruntime-node";

export type Model = { run(input: Float32Array, shape: readonly number[]): Promise<Float32Array[]> };

/** `layout` also stores weights in the order that suits the CPU best: most models gain, some lose. */
type Optimisation = "extended" | "layout";

export async function openModel(file: Uint8Array, optimisation: Optimisation = "layout"): Promise<Model> {
  const session = await InferenceSession.create(file, {
    executionProviders: ["cpu"],
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    executionMode: "sequential",
    graphOptimizationLevel: optimisation === "layout" ? "all" : optimisation,
    // Pictures come in many shapes: patterns and arenas of each would be kept for ever.
    enableMemPattern: false,
    logSeverityLevel: 3,
  });
  const [inputName] = session.inputNames;
  return {
    run: async (input, shape) => {
      const answer = await session.run({ [inputName as string]: new Tensor("float32", input, shape) });
      return session.outputNames.map((name) => (answer[name] as Tensor).data as Float32Array);
    },
  };
}
