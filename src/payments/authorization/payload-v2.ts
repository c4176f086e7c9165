import {
  NetworkSchemaV2,
  PaymentPayloadV2Schema,
  PaymentRequirementsV2Schema,
  ResourceInfoSchema,
} from '@x402/core/schemas'

/**
 * The package's schema without its zod effects: those of the resource turn null into undefined, which nothing here
 * reads; that of the network is {@link isNetwork}. For each effect zod 3 makes an object that V8 keeps, with the whole
 * payment, until the next full collection.
 */
export const PAYLOAD_V2 = PaymentPayloadV2Schema.extend({
  resource: ResourceInfoSchema.extend(withoutEffects(ResourceInfoSchema.shape)).nullish(),
  accepted: PaymentRequirementsV2Schema.extend({ network: NetworkSchemaV2.innerType() }),
})

export const isNetwork = (network: string): boolean => NetworkSchemaV2.safeParse(network).success

function withoutEffects(shape: typeof ResourceInfoSchema.shape) {
  const { description, mimeType, serviceName, tags, iconUrl } = shape
  return {
    description: description.innerType(),
    mimeType: mimeType.innerType(),
    serviceName: serviceName.innerType(),
    tags: tags.innerType(),
    iconUrl: iconUrl.innerType(),
  }
}
