internal import APIDocuments
internal import Documents
internal import HTTP
package import JSON
internal import ServerCore

/// The description of a route in the OpenAPI document.
extension APIRoute {
  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("operationId", name)
    writer.member("summary", summary)
    if access != .anyone { writer.member("description", "Token scope: \(access.text).") }
    writer.member("tags", [tag])
    writer.key("security")
    writer.beginArray()
    for scheme in APIDocument.schemes(for: access) {
      writer.beginObject()
      writer.member(scheme, [String]())
      writer.endObject()
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

  private func writeParameters(to writer: inout JSONWriter) {
    guard !query.isEmpty || !call.pathParameters.isEmpty || resource != nil else { return }
    writer.key("parameters")
    writer.beginArray()
    for name in call.pathParameters {
      writer.beginObject()
      writer.member("name", name)
      writer.member("in", "path")
      writer.member("required", true)
      writer.key("schema")
      APISchema.text(atLeast: 1).write(to: &writer)
      writer.endObject()
    }
    if resource != nil {
      writer.beginObject()
      writer.member("name", "If-Match")
      writer.member("in", "header")
      writer.member("description", "Changes the resource only if this is still its entity tag.")
      writer.member("required", false)
      writer.key("schema")
      APISchema.text().write(to: &writer)
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
