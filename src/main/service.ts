export interface Service {
  readonly url: string
  /**
   * Says at once that it is not ready, serves on for `delayMs` so that load balancers stop sending first, then stops
   * accepting, finishes calls in flight within bounds, and closes everything.
   */
  stop(delayMs?: number): Promise<void>
}

/** How long calls in flight may take once the listener is closed: longer than one settlement. */
export const SHUTDOWN_GRACE_MS = 35_000
