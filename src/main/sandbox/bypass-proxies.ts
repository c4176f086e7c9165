/**
 * Keeps the sandbox's requests on this machine. With NODE_USE_ENV_PROXY Node's `fetch` hands them to HTTP_PROXY, and the
 * usual NO_PROXY names 127.0.0.1 but not the address of the chain, which is another one of loopback at each start.
 */
export function bypassProxies(): void {
  process.env.NO_PROXY = '*'
  // Where both are set, this one counts.
  process.env.no_proxy = '*'
}
