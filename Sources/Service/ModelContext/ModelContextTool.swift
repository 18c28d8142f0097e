internal import Documents
internal import JSON
internal import ServerStore

/// A tool that a model may call.
struct ModelContextTool: Sendable {
  let name: String
  let title: String
  let meaning: String
  /// The scope that a token needs for it.
  let scope: TokenScope
  let input: [APIMember]
  /// The schema of its document; `nil` for text.
  var output: APISchema?
  /// Whether it changes nothing.
  var isReading = true
  let run: @Sendable (ToolArguments, ToolHost) throws -> ToolResult

  /// The tools in the order of their list.
  static let all: [ModelContextTool] =
    ListTools.all + ShowTools.all + [LookUpTool.tool, ResolveTool.tool]

  /// The tool in `tools/list`.
  var description: JSONValue {
    var members = [
      JSONMember("name", .string(name)), JSONMember("title", .string(title)),
      JSONMember("description", .string(meaning)),
      JSONMember("inputSchema", APISchema.object(input, isClosed: true).document),
    ]
    if let output { members.append(JSONMember("outputSchema", output.document)) }
    members.append(
      JSONMember(
        "annotations",
        .object([
          JSONMember("readOnlyHint", .bool(isReading)), JSONMember("destructiveHint", .bool(false)),
          JSONMember("idempotentHint", .bool(isReading)), JSONMember("openWorldHint", .bool(false)),
        ])))
    return .object(members)
  }
}

/// The result of a tool.
enum ToolResult: Sendable {
  case text(String)
  /// A document of the tool's schema.
  case document(JSONValue)

  /// The result of `tools/call`: documents as text, too, for clients that know no structured content.
  var result: JSONValue {
    switch self {
    case .text(let text): Self.content(text, isError: false)
    case .document(let document):
      .object([
        JSONMember("content", Self.texts(document.text)),
        JSONMember("structuredContent", document), JSONMember("isError", .bool(false)),
      ])
    }
  }

  static func failure(_ text: String) -> JSONValue { content(text, isError: true) }

  private static func content(_ text: String, isError: Bool) -> JSONValue {
    .object([
      JSONMember("content", texts(text)), JSONMember("isError", .bool(isError)),
    ])
  }

  private static func texts(_ text: String) -> JSONValue {
    .array([
      .object([JSONMember("type", .string("text")), JSONMember("text", .string(text))])
    ])
  }
}

extension JSONValue {
  /// The value as JSON in one line.
  fileprivate var text: String {
    var writer = JSONWriter()
    writer.value(self)
    return String(decoding: writer.takeBytes(), as: UTF8.self)
  }
}
