internal import JSON

/// The object with the exceptions, and the one with the facts around it.
struct SDKEvent {
  /// Whose spelling it is, or what stands in its place.
  enum Form { case exceptions, rollbar, raygun, airbrake, appSignal, stack }

  var form: Form
  var body: JSONValue
  var around: JSONValue
}
