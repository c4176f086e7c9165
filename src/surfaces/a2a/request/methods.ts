/**
 * Unknown methods are refused before the SDK: it repeats an unknown 0.3 method in its answer, and writes the id of a
 * streaming request to the console.
 */

import type { ProtocolVersion } from '../protocol/protocol-version.ts'
import { protocolFault, type RpcError } from '../protocol/rpc-error.ts'

export type Operation = 'send' | 'get' | 'cancel' | 'list'

const UNSUPPORTED = protocolFault('UNSUPPORTED_OPERATION')
const NO_PUSH = protocolFault('PUSH_NOTIFICATION_NOT_SUPPORTED')

const METHODS: Readonly<Record<ProtocolVersion, ReadonlyMap<string, Operation | RpcError>>> = {
  '1.0': new Map<string, Operation | RpcError>([
    ['SendMessage', 'send'],
    ['GetTask', 'get'],
    ['CancelTask', 'cancel'],
    ['ListTasks', 'list'],
    ['SendStreamingMessage', UNSUPPORTED],
    ['SubscribeToTask', UNSUPPORTED],
    ['GetExtendedAgentCard', UNSUPPORTED],
    ['CreateTaskPushNotificationConfig', NO_PUSH],
    ['GetTaskPushNotificationConfig', NO_PUSH],
    ['ListTaskPushNotificationConfigs', NO_PUSH],
    ['DeleteTaskPushNotificationConfig', NO_PUSH],
  ]),
  '0.3': new Map<string, Operation | RpcError>([
    ['message/send', 'send'],
    ['tasks/get', 'get'],
    ['tasks/cancel', 'cancel'],
    ['message/stream', UNSUPPORTED],
    ['tasks/resubscribe', UNSUPPORTED],
    ['agent/getAuthenticatedExtendedCard', UNSUPPORTED],
    ['tasks/pushNotificationConfig/set', NO_PUSH],
    ['tasks/pushNotificationConfig/get', NO_PUSH],
    ['tasks/pushNotificationConfig/list', NO_PUSH],
    ['tasks/pushNotificationConfig/delete', NO_PUSH],
  ]),
}

export const operationOf = (version: ProtocolVersion, method: string): Operation | RpcError =>
  METHODS[version].get(method) ?? protocolFault('METHOD_NOT_FOUND')
