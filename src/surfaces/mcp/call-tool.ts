import type { CallToolResult } from '@modelcontextprotocol/server'
import type { Order } from '../../payments/terms/orders.ts'
import type { Counter } from '../call/counter.ts'
import type { RequestContext } from './request-context.ts'
import { toolResult } from './tool-result.ts'

export type CallTool = (order: Order, requestContext: RequestContext) => Promise<CallToolResult>

export function toolCaller(counter: Counter): CallTool {
  return async function callTool(order, requestContext) {
    const reply = await counter.sell({ ...requestContext, order })
    requestContext.reply = reply
    return toolResult(reply, order.shape)
  }
}
