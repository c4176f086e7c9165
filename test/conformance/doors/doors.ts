/**
 * Inputs that programs in the field send, each with what it must get. They need no package of another project, so
 * test/surfaces/doors.test.ts runs them too.
 */
import type { Trial } from '../target.ts'
import { a2aDoors } from './a2a-doors.ts'
import { httpDoors } from './http-doors.ts'
import { mcpDoors } from './mcp-doors.ts'
import { paymentDoors } from './payment-doors.ts'

export const doorTrials: readonly Trial[] = [...paymentDoors, ...mcpDoors, ...a2aDoors, ...httpDoors]
