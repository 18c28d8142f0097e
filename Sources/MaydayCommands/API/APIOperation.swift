import HTTP
import JSON
import ServerStore

/// One method of one address, as the document of the API tells it.
struct APIOperation: Sendable {
  /// What is asked for in the query.
  struct Parameter: Sendable {
    let name: String
    let schema: APISchema
    let meaning: String
    let isRequired: Bool
  }

  /// What comes along with a request.
  struct Input: Sendable {
    /// Content types, with what each holds.
    let contents: [(type: String, schema: APISchema)]
    let isRequired: Bool

    static func json(_ members: [APIMember]) -> Input {
      Input(
        contents: [("application/json", .object(members, isClosed: true))],
        isRequired: members.contains(where: \.isRequired))
    }
  }

  struct Answer: Sendable {
    let status: Status
    let meaning: String
    /// `nil` for an answer without a body.
    let content: (type: String, schema: APISchema)?

    static func json(_ status: Status, _ meaning: String, _ schema: APISchema) -> Answer {
      Answer(status: status, meaning: meaning, content: ("application/json", schema))
    }

    static func bytes(_ status: Status, _ meaning: String) -> Answer {
      Answer(
        status: status, meaning: meaning, content: ("application/octet-stream", .bytes))
    }

    static func text(_ status: Status, _ meaning: String) -> Answer {
      Answer(status: status, meaning: meaning, content: ("text/plain", .text()))
    }

    static func empty(_ status: Status, _ meaning: String) -> Answer {
      Answer(status: status, meaning: meaning, content: nil)
    }
  }

  let method: String
  /// As the table of routes has it: `/api/v1/groups/:id`.
  let pattern: String
  /// What programs call it.
  let name: String
  let summary: String
  let tag: String
  /// `nil` where no token is needed.
  var scope: TokenScope?
  var query: [Parameter] = []
  var input: Input?
  var responses: [Answer]
  /// Statuses of problems beside those that follow from the rest.
  var refusals: [Status] = []

  /// Every status with which a request may be refused.
  var problems: [Status] {
    // The head of any request may be too long, or be no HTTP; any worker may be busy.
    var statuses: Set<Status> = [.badRequest, 414, 431, .serviceUnavailable]
    statuses.formUnion(refusals)
    if scope != nil { statuses.formUnion([.unauthorized, .forbidden]) }
    if input != nil {
      statuses.formUnion([.contentTooLarge, .unsupportedMediaType, .insufficientStorage])
    }
    if pattern.contains(":") { statuses.insert(.notFound) }
    return statuses.subtracting(responses.map(\.status)).sorted { $0.code < $1.code }
  }

  /// `/api/v1/groups/{id}`
  var path: String {
    pattern.split(separator: "/").map { part in
      "/" + (part.hasPrefix(":") ? "{\(part.dropFirst())}" : part)
    }.joined()
  }

  private var pathParameters: [String] {
    pattern.split(separator: "/").filter { $0.hasPrefix(":") }.map { String($0.dropFirst()) }
  }

  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("operationId", name)
    writer.member("summary", summary)
    if let scope { writer.member("description", "For tokens that may \(scope.rawValue).") }
    writer.member("tags", [tag])
    writer.key("security")
    writer.beginArray()
    if let scope {
      for scheme in APIDocument.schemes(for: scope) {
        writer.beginObject()
        writer.member(scheme, [String]())
        writer.endObject()
      }
    }
    writer.endArray()
    writeParameters(to: &writer)
    if let input {
      writer.key("requestBody")
      writer.beginObject()
      writer.member("required", input.isRequired)
      writer.key("content")
      writer.beginObject()
      for content in input.contents { Self.write(content.type, content.schema, to: &writer) }
      writer.endObject()
      writer.endObject()
    }
    writer.key("responses")
    writer.beginObject()
    for answer in responses { write(answer, to: &writer) }
    if hasTag {
      writer.key("304")
      writer.beginObject()
      writer.member("$ref", "#/components/responses/NotModified")
      writer.endObject()
    }
    for status in problems {
      writer.key("\(status.code)")
      writer.beginObject()
      writer.member("$ref", "#/components/responses/Problem")
      writer.endObject()
    }
    writer.endObject()
    writer.endObject()
  }

  /// Whether the answer comes with an entity tag.
  private var hasTag: Bool { method == "GET" && pattern.hasPrefix("/api/v1/") }

  private func writeParameters(to writer: inout JSONWriter) {
    guard !query.isEmpty || !pathParameters.isEmpty else { return }
    writer.key("parameters")
    writer.beginArray()
    for name in pathParameters {
      writer.beginObject()
      writer.member("name", name)
      writer.member("in", "path")
      writer.member("required", true)
      writer.key("schema")
      APISchema.text(atLeast: 1).write(to: &writer)
      writer.endObject()
    }
    for parameter in query {
      writer.beginObject()
      writer.member("name", parameter.name)
      writer.member("in", "query")
      writer.member("description", parameter.meaning)
      writer.member("required", parameter.isRequired)
      writer.key("schema")
      parameter.schema.write(to: &writer)
      writer.endObject()
    }
    writer.endArray()
  }

  private func write(_ answer: Answer, to writer: inout JSONWriter) {
    writer.key("\(answer.status.code)")
    writer.beginObject()
    writer.member("description", answer.meaning)
    if hasTag {
      writer.key("headers")
      writer.beginObject()
      writer.key("ETag")
      writer.beginObject()
      writer.member("$ref", "#/components/headers/ETag")
      writer.endObject()
      writer.endObject()
    }
    if let content = answer.content {
      writer.key("content")
      writer.beginObject()
      Self.write(content.type, content.schema, to: &writer)
      writer.endObject()
    }
    writer.endObject()
  }

  private static func write(_ type: String, _ schema: APISchema, to writer: inout JSONWriter) {
    writer.key(type)
    writer.beginObject()
    writer.key("schema")
    schema.write(to: &writer)
    writer.endObject()
  }
}
