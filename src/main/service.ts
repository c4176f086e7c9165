/** What runs: a listening service, and how to end it. */
export interface Service {
  /** Where it listens. */
  readonly url: string
  /** Unready at once, then stops accepting, finishes paid calls in flight within bounds, and closes everything. */
  stop(): Promise<void>
}

/** How long calls under way may take after a shutdown has begun: longer than one settlement. */
export const SHUTDOWN_GRACE_MS = 35_000
