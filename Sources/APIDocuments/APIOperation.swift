internal import CrashService
package import HTTP
package import JSON
package import ServerStore

/// One method of one address, as the document of the API tells it.
package struct APIOperation: Sendable {
  /// What is asked for in the query.
  package struct Parameter: Sendable {
    package let name: String
    package let schema: APISchema
    package let meaning: String
    package let isRequired: Bool

    package init(name: String, schema: APISchema, meaning: String, isRequired: Bool) {
      self.name = name
      self.schema = schema
      self.meaning = meaning
      self.isRequired = isRequired
    }
  }

  /// What comes along with a request.
  package struct Input: Sendable {
    /// Content types, with what each holds.
    package let contents: [(type: String, schema: APISchema)]
    package let isRequired: Bool

    package static func json(_ members: [APIMember]) -> Input {
      Input(
        contents: [("application/json", .object(members, isClosed: true))],
        isRequired: members.contains(where: \.isRequired))
    }

    package init(contents: [(type: String, schema: APISchema)], isRequired: Bool) {
      self.contents = contents
      self.isRequired = isRequired
    }
  }

  package struct Answer: Sendable {
    package let status: Status
    package let meaning: String
    /// `nil` for an answer without a body.
    package let content: (type: String, schema: APISchema)?

    package static func json(_ status: Status, _ meaning: String, _ schema: APISchema) -> Answer {
      Answer(status: status, meaning: meaning, content: ("application/json", schema))
    }

    package static func bytes(_ status: Status, _ meaning: String) -> Answer {
      Answer(
        status: status, meaning: meaning, content: ("application/octet-stream", .bytes))
    }

    package static func text(_ status: Status, _ meaning: String) -> Answer {
      Answer(status: status, meaning: meaning, content: ("text/plain", .text()))
    }

    package static func empty(_ status: Status, _ meaning: String) -> Answer {
      Answer(status: status, meaning: meaning, content: nil)
    }

    package init(status: Status, meaning: String, content: (type: String, schema: APISchema)?) {
      self.status = status
      self.meaning = meaning
      self.content = content
    }
  }

  package let method: String
  /// As the table of routes has it: `/api/v1/groups/:id`.
  package let pattern: String
  /// What programs call it.
  package let name: String
  package let summary: String
  package let tag: String
  /// `nil` where no token is needed.
  package var scope: TokenScope?
  package var query: [Parameter] = []
  package var input: Input?
  package var responses: [Answer]
  /// Statuses of problems beside those that follow from the rest.
  package var refusals: [Status] = []

  /// Every status with which a request may be refused.
  package var problems: [Status] {
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
  package var path: String {
    pattern.split(separator: "/").map { part in
      "/" + (part.hasPrefix(":") ? "{\(part.dropFirst())}" : part)
    }.joined()
  }

  private var pathParameters: [String] {
    pattern.split(separator: "/").filter { $0.hasPrefix(":") }.map { String($0.dropFirst()) }
  }

  package func write(to writer: inout JSONWriter) {
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

  package init(
    method: String, pattern: String, name: String, summary: String, tag: String,
    scope: TokenScope? = nil, query: [Parameter] = [], input: Input? = nil, responses: [Answer],
    refusals: [Status] = []
  ) {
    self.method = method
    self.pattern = pattern
    self.name = name
    self.summary = summary
    self.tag = tag
    self.scope = scope
    self.query = query
    self.input = input
    self.responses = responses
    self.refusals = refusals
  }
}
