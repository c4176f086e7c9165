import * as monitoring from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1'
import * as apps from 'kubernetes-models/apps/v1'
import * as autoscaling from 'kubernetes-models/autoscaling/v2'
import * as batch from 'kubernetes-models/batch/v1'
import * as networking from 'kubernetes-models/networking.k8s.io/v1'
import * as policy from 'kubernetes-models/policy/v1'
import * as core from 'kubernetes-models/v1'

/** A resource as its file says it. */
export interface Manifest {
  readonly apiVersion: string
  readonly kind: string
}

type Model = new (data: never) => { validate(): void }

/** The published schemas of each API, as `kubernetes-models` compiled them. */
const APIS: Readonly<Record<string, object>> = {
  v1: core,
  'apps/v1': apps,
  'autoscaling/v2': autoscaling,
  'batch/v1': batch,
  'networking.k8s.io/v1': networking,
  'policy/v1': policy,
  'monitoring.coreos.com/v1': monitoring,
}

/**
 * Returns what is wrong with a manifest, one line each: a member its schema refuses, lacks, or does not know. The schemas
 * let unknown members pass, so those that the validator never read are reported.
 */
export function manifestFaults(manifest: Manifest): readonly string[] {
  const model = (APIS[manifest.apiVersion] as Readonly<Record<string, Model>> | undefined)?.[manifest.kind]
  if (model === undefined) return [`${manifest.apiVersion} ${manifest.kind}: no such resource`]
  const unread = new Set<string>()
  const watched = watchReads(manifest, '', unread)
  try {
    const resource = new model({} as never)
    Object.assign(resource, watched)
    resource.validate()
  } catch (error) {
    return [`${manifest.kind}: ${(error as Error).message}`]
  }
  return [...unread].map((path) => `${manifest.kind}: ${path} is not a member of its schema`)
}

/** A view of the data that crosses off each member the validator reads. */
function watchReads<T>(data: T, path: string, unread: Set<string>): T {
  if (typeof data !== 'object' || data === null) return data
  for (const name of Object.keys(data)) unread.add(`${path}/${name}`)
  const members = new Map<string, unknown>()
  return new Proxy(data, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      if (typeof name !== 'string' || !Object.hasOwn(target, name)) return member
      unread.delete(`${path}/${name}`)
      if (!members.has(name)) members.set(name, watchReads(member, `${path}/${name}`, unread))
      return members.get(name)
    },
  })
}
