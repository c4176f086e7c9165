/**
 * The methods this agent answers, by protocol version.
 *
 * The SDK repeats an unknown 0.3 method in its answer and writes the id of a streaming request to the console,
 * so both are settled here with fixed texts.
 */

import { type ProtocolFault, protocolFault, type RpcError } from '../reply/rpc-error.ts'
import type { ProtocolVersion } from './protocol-version.ts'

export type Operation = 'send' | 'get' | 'cancel' | 'list'

type Known = Operation | ProtocolFault

const METHODS: Readonly<Record<ProtocolVersion, ReadonlyMap<string, Known>>> = {
  '1.0': new Map<string, Known>([
    ['SendMessage', 'send'],
    ['GetTask', 'get'],
    ['CancelTask', 'cancel'],
    ['ListTasks', 'list'],
    ['SendStreamingMessage', 'UNSUPPORTED_OPERATION'],
    ['SubscribeToTask', 'UNSUPPORTED_OPERATION'],
    ['GetExtendedAgentCard', 'UNSUPPORTED_OPERATION'],
    ['CreateTaskPushNotificationConfig', 'PUSH_NOTIFICATION_NOT_SUPPORTED'],
    ['GetTaskPushNotificationConfig', 'PUSH_NOTIFICATION_NOT_SUPPORTED'],
    ['ListTaskPushNotificationConfigs', 'PUSH_NOTIFICATION_NOT_SUPPORTED'],
    ['DeleteTaskPushNotificationConfig', 'PUSH_NOTIFICATION_NOT_SUPPORTED'],
  ]),
  '0.3': new Map<string, Known>([
    ['message/send', 'send'],
    ['tasks/get', 'get'],
    ['tasks/cancel', 'cancel'],
    ['message/stream', 'UNSUPPORTED_OPERATION'],
    ['tasks/resubscribe', 'UNSUPPORTED_OPERATION'],
    ['agent/getAuthenticatedExtendedCard', 'UNSUPPORTED_OPERATION'],
    ['tasks/pushNotificationConfig/set', 'PUSH_NOTIFICATION_NOT_SUPPORTED'],
    ['tasks/pushNotificationConfig/get', 'PUSH_NOTIFICATION_NOT_SUPPORTED'],
    ['tasks/pushNotificationConfig/list', 'PUSH_NOTIFICATION_NOT_SUPPORTED'],
    ['tasks/pushNotificationConfig/delete', 'PUSH_NOTIFICATION_NOT_SUPPORTED'],
  ]),
}

const OPERATIONS: ReadonlySet<Known> = new Set<Known>(['send', 'get', 'cancel', 'list'])

const isOperation = (known: Known): known is Operation => OPERATIONS.has(known)

export function operationOf(version: ProtocolVersion, method: string): Operation | RpcError {
  const known = METHODS[version].get(method) ?? 'METHOD_NOT_FOUND'
  return isOperation(known) ? known : protocolFault(known)
}
