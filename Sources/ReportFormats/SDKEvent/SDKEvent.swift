internal import JSON

/// What was recognised: the object with exceptions, and that with facts around it.
struct SDKEvent {
  /// Whose spelling it is, or what stands in its place.
  enum Form { case exceptions, rollbar, raygun, airbrake, appSignal, stack }

  var form: Form
  var body: JSONValue
  var around: JSONValue
}
