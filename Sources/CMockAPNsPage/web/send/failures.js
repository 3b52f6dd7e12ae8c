// Which field of the send form mends a rejected push.

/// The reasons by the field of the form that causes them. Those of `null` have no field: the server signs each push
/// itself and gives it an ID, a form has each header once, or the cause is outside the push.
const CAUSES = new Map([
  ["topic", ["MissingTopic", "BadTopic", "TopicDisallowed", "DeviceTokenNotForTopic", "TopicMismatch"]],
  ["token", ["BadDeviceToken", "MissingDeviceToken", "Unregistered", "ExpiredToken", "BadPath"]],
  ["pushType", ["InvalidPushType", "MissingPushType"]],
  ["priority", ["BadPriority"]],
  ["expiration", ["BadExpirationDate"]],
  ["collapseId", ["BadCollapseId"]],
  ["headers", ["BadChannelId", "MissingChannelId"]],
  ["text", ["PayloadEmpty", "PayloadTooLarge", "BadRequestPayload"]],
  [null, [
    "BadCertificate", "BadCertificateEnvironment", "BadEnvironmentKeyInToken", "BadEnvironmentKeyIdInToken",
    "ExpiredProviderToken", "Forbidden", "InvalidProviderToken", "MissingProviderToken", "UnrelatedKeyIdInToken",
    "TooManyProviderTokenUpdates", "TooManyRequests", "MethodNotAllowed", "IdleTimeout", "InternalServerError",
    "ServiceUnavailable", "Shutdown", "BadRequestParams", "CannotCreateChannelConfig", "ChannelNotRegistered",
    "FeatureNotEnabled", "BadMessageId", "DuplicateHeaders",
  ]],
])

/// The field that causes a reason; `null` if no field does, and `undefined` for an unknown reason.
export function causeOf(reason) { return [...CAUSES].find(([, reasons]) => reasons.includes(reason))?.[0] }
