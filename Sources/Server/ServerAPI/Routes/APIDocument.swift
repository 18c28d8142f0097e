internal import APIDocuments
internal import CrashService
internal import Documents
internal import JSON
internal import ServerCore

/// The OpenAPI 3.1 document of the API.
///
/// It is generated from ``APIRoute/all``, from which the server's routes are made, too.
package enum APIDocument {
  /// The document, which never changes while the program runs.
  package static let bytes: [UInt8] = {
    var writer = JSONWriter()
    write(to: &writer)
    writer.newLine()
    return writer.takeBytes()
  }()

  /// Returns the security schemes for an access level.
  static func schemes(for access: RouteAccess) -> [String] {
    guard access != .anyone else { return [] }
    return ["bearer", "token", "password"] + (access.takesAppKeys ? ["appKey"] : [])
  }

  private static func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("openapi", "3.1.0")
    writer.key("info")
    writer.beginObject()
    writer.member("title", "Mayday")
    writer.member("version", Product.version)
    writer.member("description", "Crash reports, their groups, and debug files.")
    writer.endObject()
    writer.key("paths")
    writer.beginObject()
    var paths: [String] = []
    for route in APIRoute.all where !paths.contains(route.path) {
      paths.append(route.path)
    }
    for path in paths {
      writer.key(path)
      writer.beginObject()
      for route in APIRoute.all where route.path == path {
        writer.key(route.method.lowercased())
        route.write(to: &writer)
      }
      writer.endObject()
    }
    writer.endObject()
    writer.key("components")
    writer.beginObject()
    writeSchemes(to: &writer)
    writeResponses(to: &writer)
    writer.key("schemas")
    writer.beginObject()
    for (name, schema) in APISchema.components {
      writer.key(name)
      schema.write(to: &writer)
    }
    writer.endObject()
    writer.endObject()
    writer.endObject()
  }

  private static func writeSchemes(to writer: inout JSONWriter) {
    writer.key("securitySchemes")
    writer.beginObject()
    for (name, scheme) in [("bearer", "bearer"), ("password", "basic")] {
      writer.key(name)
      writer.beginObject()
      writer.member("type", "http")
      writer.member("scheme", scheme)
      if scheme == "basic" { writer.member("description", "The token is the password.") }
      writer.endObject()
    }
    for (name, header) in [("token", "X-API-Token"), ("appKey", "X-App-Key")] {
      writer.key(name)
      writer.beginObject()
      writer.member("type", "apiKey")
      writer.member("in", "header")
      writer.member("name", header)
      writer.endObject()
    }
    writer.endObject()
  }

  private static func writeResponses(to writer: inout JSONWriter) {
    writer.key("headers")
    writer.beginObject()
    writer.key("ETag")
    writer.beginObject()
    writer.member(
      "description",
      "The tag of exactly these bytes; send it in If-None-Match, or in If-Match with a change.")
    writer.key("schema")
    APISchema.text(pattern: "^\"[0-9a-f]+(-gzip|-zstd)?\"$").write(to: &writer)
    writer.endObject()
    writer.endObject()
    writer.key("responses")
    writer.beginObject()
    writer.key("NotModified")
    writer.beginObject()
    writer.member("description", "Unchanged since the version given in If-None-Match.")
    writer.endObject()
    writer.key("Problem")
    writer.beginObject()
    writer.member("description", "The reason for the refusal, as a problem document (RFC 9457).")
    writer.key("content")
    writer.beginObject()
    writer.key("application/problem+json")
    writer.beginObject()
    writer.key("schema")
    APISchema.named("Problem").write(to: &writer)
    writer.endObject()
    writer.endObject()
    writer.endObject()
    writer.endObject()
  }
}
