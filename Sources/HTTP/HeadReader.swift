internal import CMicrohttpd
internal import Glibc

/// Reads the head of a request from libmicrohttpd, and refuses what its lenient parser let pass:
/// everything that two readers of the same bytes could take for different requests.
struct HeadReader {
  private var headers = Headers()
  private var query = QueryItems()
  private var refusal: String?
  private var lengths = 0
  private var codings = 0
  private var hosts = 0

  /// - Throws: ``HTTPError/refused(_:_:)`` with the status that fits.
  static func read(
    _ connection: OpaquePointer?, method: String, target: UnsafePointer<CChar>?, version: String,
    id: String
  ) throws(HTTPError) -> RequestHead {
    guard version == "HTTP/1.1" || version == "HTTP/1.0" else {
      throw .refused(.versionNotSupported, "This server speaks HTTP/1.1.")
    }
    guard !method.isEmpty, method.utf8.count <= 32, method.utf8.allSatisfy(isTokenByte) else {
      throw .refused(.badRequest, "The method is no token.")
    }
    var reader = HeadReader()
    withUnsafeMutablePointer(to: &reader) { pointer in
      _ = MHD_get_connection_values_n(connection, .HEADER_KIND, takeHeader, pointer)
      _ = MHD_get_connection_values_n(connection, .GET_ARGUMENT_KIND, takeQueryItem, pointer)
    }
    if let refusal = reader.refusal ?? reader.contradiction(in: version) {
      throw .refused(.badRequest, refusal)
    }
    let path = try Self.path(target)
    guard let segments = RequestHead.segments(of: path) else {
      throw .refused(.badRequest, "The path holds a NUL or is no UTF-8.")
    }
    var head = RequestHead(method: method, path: path, segments: segments, peer: "", id: id)
    head.headers = reader.headers
    head.query = reader.query
    return head
  }

  /// What a request may say once only, or not at the same time (RFC 9112 3.2, 6.1, 6.3).
  private func contradiction(in version: String) -> String? {
    if lengths + codings > 1 { return "The length of the body is told more than once." }
    if codings == 1 && version == "HTTP/1.0" { return "Transfer-Encoding in HTTP/1.0." }
    if hosts > 1 { return "More than one Host." }
    if hosts == 0 && version == "HTTP/1.1" { return "No Host." }
    return nil
  }

  /// The path of origin-form and absolute-form (RFC 9112 3.2).
  private static func path(_ target: UnsafePointer<CChar>?) throws(HTTPError) -> String {
    guard let target, let text = String(validatingCString: target) else {
      throw .refused(.badRequest, "The path is no UTF-8.")
    }
    guard text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7f }) else {
      throw .refused(.badRequest, "The path holds a blank or a control character.")
    }
    if text.hasPrefix("/") { return text }
    for scheme in ["http://", "https://"] where text.prefix(scheme.count).isSame(as: scheme) {
      let rest = text.dropFirst(scheme.count)
      return rest.firstIndex(of: "/").map { String(rest[$0...]) } ?? "/"
    }
    throw .refused(.badRequest, "The path does not begin with a slash.")
  }

  fileprivate mutating func take(name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) {
    guard !name.isEmpty, name.allSatisfy(isTokenByte) else {
      refusal = "A header's name is no token."
      return
    }
    guard value.allSatisfy({ $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 }) else {
      refusal = "A header's value holds a control character."
      return
    }
    let field = String(decoding: name, as: UTF8.self)
    let text = String(decoding: value, as: UTF8.self)
    if field.isSame(as: "Content-Length") {
      lengths += 1
      let isNumber = value.allSatisfy { $0 >= 48 && $0 <= 57 } && UInt64(text) != nil
      if !isNumber { refusal = "Content-Length is no number." }
    } else if field.isSame(as: "Transfer-Encoding") {
      codings += 1
      if !text.isSame(as: "chunked") { refusal = "Transfer-Encoding is not chunked." }
    } else if field.isSame(as: "Host") {
      hosts += 1
      if value.contains(where: { $0 <= 0x20 || $0 == UInt8(ascii: ",") }) {
        refusal = "Host is no host."
      }
    }
    headers.add(field, text)
  }

  fileprivate mutating func takeItem(name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) {
    let name = Percent.decode(String(decoding: name, as: UTF8.self))
    let value = Percent.decode(String(decoding: value, as: UTF8.self))
    if name.contains(0) || value.contains(0) { refusal = "The query holds a NUL." }
    query.items.append(
      .init(
        name: String(decoding: name, as: UTF8.self), value: String(decoding: value, as: UTF8.self)))
  }
}

/// RFC 9110 5.6.2.
private func isTokenByte(_ byte: UInt8) -> Bool {
  switch byte {
  case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
  default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
  }
}

private func takeHeader(
  _ context: UnsafeMutableRawPointer?, _ kind: MHD_ValueKind, _ name: UnsafePointer<CChar>?,
  _ nameSize: Int, _ value: UnsafePointer<CChar>?, _ valueSize: Int
) -> MHD_Result {
  context?.assumingMemoryBound(to: HeadReader.self).pointee.take(
    name: UnsafeRawBufferPointer(start: name, count: nameSize),
    value: UnsafeRawBufferPointer(start: value, count: value == nil ? 0 : valueSize))
  return .YES
}

private func takeQueryItem(
  _ context: UnsafeMutableRawPointer?, _ kind: MHD_ValueKind, _ name: UnsafePointer<CChar>?,
  _ nameSize: Int, _ value: UnsafePointer<CChar>?, _ valueSize: Int
) -> MHD_Result {
  context?.assumingMemoryBound(to: HeadReader.self).pointee.takeItem(
    name: UnsafeRawBufferPointer(start: name, count: nameSize),
    value: UnsafeRawBufferPointer(start: value, count: value == nil ? 0 : valueSize))
  return .YES
}
