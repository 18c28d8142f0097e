package import Documents
internal import APIDocuments
package import HTTP

extension APIRoute {
  /// The body of a request.
  package struct Input: Sendable {
    /// The content types, with the schema of each.
    package let contents: [(type: String, schema: APISchema)]
    package let isRequired: Bool
    /// The maximum size, and where it is kept.
    package let body: Body

    /// Returns a JSON object with exactly these members.
    package static func json(_ members: [APIMember]) -> Input {
      Input(
        contents: [("application/json", .object(members, isClosed: true))],
        isRequired: members.contains(where: \.isRequired), body: .memory(limit: APILimits.document))
    }

    /// Returns the body of a file upload.
    package static func file(atMost limit: ByteCount) -> Input {
      Input(
        contents: [("application/octet-stream", .upload)], isRequired: true,
        body: .file(limit: limit))
    }

    package init(contents: [(type: String, schema: APISchema)], isRequired: Bool, body: Body) {
      self.contents = contents
      self.isRequired = isRequired
      self.body = body
    }
  }

  package struct Answer: Sendable {
    package let status: Status
    package let meaning: String
    /// The content type and schema; `nil` for a response without a body.
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
}

extension APISchema {
  /// Bytes sent by a client, in the form that client generators recognise as a file.
  static let upload = APISchema.text(format: "binary")
}
