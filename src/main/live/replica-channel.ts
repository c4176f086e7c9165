import type { ReplicaChannel } from '../../app/jobs/share-limits.ts'
import { openPostgresChannel } from '../../ledger/postgres/postgres-channel.ts'

/** The channel between the replicas on one database. */
export function openReplicaChannel(url: string): ReplicaChannel & { close(): Promise<void> } {
  let receive: (text: string) => void = () => {}
  const channel = openPostgresChannel({
    url,
    name: 'format_checker_limits',
    onMessage: (text) => receive(text),
  })
  return {
    send: channel.send,
    listen: (onMessage) => {
      receive = onMessage
    },
    close: channel.close,
  }
}
