/** One thing that is sent to the service. */
export interface FuzzInput {
  /** What it is, in a word or two; reports count by it. */
  readonly kind: string
  readonly bytes: Buffer
  /** Whether it is one request whose end every HTTP parser sees in the same place, so that others may follow it. */
  readonly framed: boolean
  /** The method, where it decides how the answer ends. */
  readonly method: string
  /** Where it goes; "admin" is the operator's port. */
  readonly port: 'public' | 'admin'
  /** Which body an answer with a verdict would have. */
  readonly surface: 'rest' | 'a2a' | 'mcp' | 'free'
  /** Leaves without waiting for an answer. */
  readonly leaves?: boolean
}
