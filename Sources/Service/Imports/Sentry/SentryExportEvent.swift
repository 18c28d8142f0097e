internal import JSON

/// An event as Sentry's API answers it, as the SDK sent it: the members of its entries at the top, names with
/// underscores.
///
/// Source: "Retrieve an Event" and "Event Payloads" of Sentry's documentation.
enum SentryExportEvent {
  /// Whether a document is an event of the API.
  static func isEvent(_ value: JSONValue) -> Bool {
    value.member("entries")?.array != nil && value.text(["eventID", "id"]) != nil
  }

  /// - Returns: `nil` where it has neither an exception nor a thread.
  static func payload(of value: JSONValue) -> JSONValue? {
    var exception: JSONValue?
    var threads: JSONValue?
    var images: JSONValue?
    var breadcrumbs: JSONValue?
    for entry in value.list("entries") {
      guard let data = entry.member("data") else { continue }
      switch entry.text("type") {
      case "exception": exception = snake(data)
      case "threads": threads = snake(data)
      case "debugmeta": images = data
      case "breadcrumbs": breadcrumbs = data
      case "stacktrace" where exception == nil:
        exception = .members([
          "values": .array([.members(["type": value.member("title"), "stacktrace": snake(data)])])
        ])
      default: break
      }
    }
    guard exception != nil || threads != nil else { return nil }
    let release = value.member("release")
    let dist = value.member("dist")
    return .members([
      "event_id": value.text(["eventID", "id"]).map { .string($0) },
      "timestamp": value.text(["dateCreated", "dateReceived"]).map { .string($0) },
      "platform": value.member("platform"),
      "level": tag("level", of: value).map { .string($0) },
      "release": (release?.text("version") ?? release?.text).map { .string($0) },
      "dist": (dist?.text("name") ?? dist?.text).map { .string($0) },
      "environment": tag("environment", of: value).map { .string($0) },
      "tags": .array(
        value.list("tags").compactMap { tag in
          guard let key = tag.member("key"), let text = tag.member("value") else { return nil }
          return .array([key, text])
        }),
      "extra": value.member("context"),
      "contexts": value.member("contexts"),
      "user": value.member("user"),
      "sdk": value.member("sdk"),
      "exception": exception,
      "threads": threads,
      "debug_meta": images,
      "breadcrumbs": breadcrumbs,
    ])
  }

  private static func tag(_ key: String, of value: JSONValue) -> String? {
    value.list("tags").first { $0.text("key") == key }?.text("value")
  }

  /// The names of the API, and those of payloads.
  private static let names = [
    "threadId": "thread_id", "absPath": "abs_path", "instructionAddr": "instruction_addr",
    "symbolAddr": "symbol_addr", "imageAddr": "image_addr", "rawFunction": "raw_function",
    "lineNo": "lineno", "colNo": "colno", "inApp": "in_app", "rawStacktrace": "raw_stacktrace",
    "addrMode": "addr_mode", "debugId": "debug_id", "codeId": "code_id",
  ]

  /// - Complexity: O(values): the reader of JSON bounds depth and number.
  private static func snake(_ value: JSONValue) -> JSONValue {
    switch value {
    case .object(let members):
      .object(members.map { JSONMember(names[$0.key] ?? $0.key, snake($0.value)) })
    case .array(let elements): .array(elements.map { snake($0) })
    default: value
    }
  }
}
