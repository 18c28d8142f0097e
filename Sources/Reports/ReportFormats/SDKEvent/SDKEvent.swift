internal import JSON

/// The object with the exceptions, and the one with the facts around it.
struct SDKEvent {
  /// The SDK that defines the spelling, or its replacement.
  enum Form { case exceptions, rollbar, raygun, airbrake, appSignal, stack }

  var form: Form
  var body: JSONValue
  var around: JSONValue
}
