export interface Service {
  readonly url: string
  /**
   * Reports that it is not ready and serves on for `delayMs`, so that load balancers stop sending. Then finishes calls
   * in flight within {@link SHUTDOWN_GRACE_MS}, and closes everything.
   */
  stop(delayMs?: number): Promise<void>
}

/** How long calls in flight may take once the port is closed: longer than one settlement. */
export const SHUTDOWN_GRACE_MS = 35_000
