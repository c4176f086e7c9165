import { afterAll, beforeAll } from 'vitest'
import { type LiveService, startLiveService, startWorld, type World } from './live-service.ts'

/** For a test file or a group in it: a world, its settings of live mode, and the service over them. */
export function liveStage() {
  let world: World
  let settings: Record<string, string>
  let service: LiveService
  beforeAll(async () => {
    world = await startWorld()
    settings = await world.settings(world.sandbox.facilitatorUrl)
    service = await startLiveService(settings)
  })
  afterAll(async () => {
    await service.stop()
    await world.stop()
  })

  return {
    get world() {
      return world
    },
    get settings() {
      return settings
    },
    get service() {
      return service
    },
  }
}
