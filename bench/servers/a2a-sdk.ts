/** The least an A2A agent can be with the SDK: its own request handler, store and transport; no payment. */
import { randomUUID } from 'node:crypto'
import { AgentCard, Task } from '@a2a-js/sdk'
import { AgentEvent, type AgentExecutor, DefaultRequestHandler, InMemoryTaskStore } from '@a2a-js/sdk/server'
import { jsonRpcHandler, UserBuilder } from '@a2a-js/sdk/server/express'
import express from 'express'
import { checkIban } from 'format-checker-checks/iban'
import { serve } from './tell-port.ts'

const executor: AgentExecutor = {
  async execute({ userMessage, taskId, contextId }, bus) {
    const part = userMessage.parts[0]?.content
    const value = part?.$case === 'data' ? String(part.value?.input?.value) : ''
    const task = Task.fromJSON({
      id: taskId,
      contextId,
      status: { state: 'TASK_STATE_COMPLETED', timestamp: new Date().toISOString() },
      artifacts: [{ artifactId: randomUUID(), parts: [{ data: checkIban(value) }] }],
    })
    bus.publish(AgentEvent.task(task))
    bus.finished()
  },
  cancelTask: async () => {},
}

const card = AgentCard.fromJSON({
  name: 'minimal',
  version: '1.0.0',
  supportedInterfaces: [{ url: 'http://127.0.0.1/', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
  capabilities: {},
  defaultInputModes: ['application/json'],
  defaultOutputModes: ['application/json'],
})
const requestHandler = new DefaultRequestHandler(card, new InMemoryTaskStore(), executor)
const app = express()
app.use('/a2a', jsonRpcHandler({ requestHandler, userBuilder: UserBuilder.noAuthentication }))
serve(app)
