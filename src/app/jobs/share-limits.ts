import type { LimitPeers, PeerCount, SharedCounter } from '../../http/limits/limit-peers.ts'

/** Carries short texts to the other replicas, best effort; nothing is stored. */
export interface ReplicaChannel {
  send(text: string): void
  /** Sets who gets the messages, own ones included. */
  listen(onMessage: (text: string) => void): void
}

export interface ShareLimitsDeps {
  readonly channel: ReplicaChannel
  readonly peers: LimitPeers
  /** Counts of this replica that the others should know. */
  readonly report: () => readonly PeerCount[]
  /** Id of this process. */
  readonly replica: string
}

/** Counts in one message: under PostgreSQL's 8,000 bytes. */
const PER_MESSAGE = 120
/** Messages of one turn; an attack from more addresses is counted by each replica for itself. */
const MOST_MESSAGES = 10
const COUNTERS: readonly SharedCounter[] = ['unpaid', 'refused']

/** Returns the task of one turn: informs the other replicas. What they send goes to `peers` at once. */
export function shareLimits({ channel, peers, report, replica }: ShareLimitsDeps): () => Promise<void> {
  channel.listen((text) => {
    const message = readMessage(text)
    if (message !== null && message.replica !== replica) peers.note(message.replica, message.counts)
  })
  return async () => {
    peers.prune()
    const counts = report().slice(0, PER_MESSAGE * MOST_MESSAGES)
    for (let at = 0; at < counts.length; at += PER_MESSAGE)
      channel.send(writeMessage(replica, counts.slice(at, at + PER_MESSAGE)))
  }
}

const writeMessage = (replica: string, counts: readonly PeerCount[]): string =>
  JSON.stringify([
    replica,
    ...counts.map(({ counter, name, hits, leftMs }) => [COUNTERS.indexOf(counter), name, hits, leftMs]),
  ])

/** Null for anything that is not a message of this version. */
function readMessage(
  text: string,
): { readonly replica: string; readonly counts: readonly PeerCount[] } | null {
  try {
    const [replica, ...entries] = JSON.parse(text) as [unknown, ...unknown[]]
    if (typeof replica !== 'string') return null
    const counts = entries.flatMap((entry) => {
      if (!Array.isArray(entry)) return []
      const [index, name, hits, leftMs] = entry as unknown[]
      const counter = COUNTERS[index as number]
      return counter !== undefined && typeof name === 'string' && isCount(hits) && isCount(leftMs)
        ? [{ counter, name, hits, leftMs }]
        : []
    })
    return { replica, counts }
  } catch {
    return null
  }
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0
