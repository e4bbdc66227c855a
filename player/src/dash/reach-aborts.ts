import type {
  CommonMediaRequest,
  ExtensionScope,
  FragmentRequest,
  LoaderCallbacks,
} from "./dashjs-internals.ts";

/** What HTTPLoader keeps, and aborts, of each request. */
const kept = new WeakMap<FragmentRequest, LoaderCallbacks>();

const keep = (request: CommonMediaRequest): CommonMediaRequest => {
  kept.set(request.customData.request, request.customData);
  return request;
};

const forward = (request: CommonMediaRequest): CommonMediaRequest => {
  const { customData } = request;
  const original = kept.get(customData.request);
  if (original !== undefined && original !== customData) {
    Object.defineProperty(original, "abort", { get: () => customData.abort });
  }
  return request;
};

/**
 * Lets dash.js's aborts reach its loaders with CMCD on, too: 5.2's interceptor for CMCD hands them a copy of the request,
 * and an abort looks at the original.
 */
export function reachAborts({ factory, context }: ExtensionScope): void {
  const interceptors = factory
    .getSingletonInstance(context, "CustomParametersModel")
    ?.getRequestInterceptors();
  if (interceptors !== undefined && !interceptors.includes(keep)) {
    interceptors.unshift(keep);
    interceptors.push(forward);
  }
}
