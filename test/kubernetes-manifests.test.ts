/** The manifests against the schemas of Kubernetes and of the Prometheus Operator, without a cluster or a network. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseYaml } from '@redocly/openapi-core'
import { describe, expect, test } from 'vitest'
import { ROOT } from './support/command.ts'
import { type Manifest, manifestFaults } from './support/kubernetes-schemas.ts'

const manifests = globSync('deploy/kubernetes/**/*.yaml', { cwd: ROOT })
  .toSorted()
  .flatMap((path) =>
    readFileSync(join(ROOT, path), 'utf8')
      .split(/^---$/m)
      .map((text) => [path, parseYaml(text) as Manifest] as const),
  )
  // Read by kustomize itself, which has no published schema.
  .filter(([, { kind }]) => kind !== 'Kustomization')

test.each(manifests)('%s fits its schema, member for member', (_path, manifest) => {
  expect(manifestFaults(manifest)).toEqual([])
})

describe('the check itself', () => {
  const [, deployment] = manifests.find(([, { kind }]) => kind === 'Deployment') ?? []
  const changed = (from: string, to: string) =>
    manifestFaults(JSON.parse(JSON.stringify(deployment).replace(from, to)) as Manifest)

  test.each([
    ['a value of another type', '"maxSurge":1', '"maxSurge":true'],
    ['a member that is missing', '"selector"', '"selektor"'],
    ['a misspelt member', '"readOnlyRootFilesystem"', '"readonlyRootFilesystem"'],
    ['a misspelt member deep inside', '"failureThreshold"', '"failureTreshold"'],
    ['a kind of another API', '"apps/v1"', '"batch/v1"'],
  ])('finds %s', (_what, from, to) => {
    expect(JSON.stringify(deployment)).toContain(from)
    expect(changed(from, to)).not.toEqual([])
  })
})
