/** The service that is tested: where it is, and a key that can pay for its checks. */
export interface Target {
  /** Public address without a trailing slash. */
  readonly origin: string
  /** The MCP endpoint. */
  readonly url: string
  /** A funded buyer's private key, 0x-prefixed hex; a throw-away one. */
  readonly privateKey: `0x${string}`
  /** Headers of every request of the doors. */
  readonly fields?: Readonly<Record<string, string>>
  /** Ends what was started for the run. */
  stop(): Promise<void>
}

/** One thing to show, e.g. that a client pays; rejects when it does not hold. */
export interface Trial {
  readonly name: string
  /** The argument without which it cannot run; it is then skipped. */
  readonly lacks?: string
  run(target: Target): Promise<void>
}
