/// Reads a head that ``HeadFacts`` has judged.
enum HeadReader {
  /// The most items of a query.
  private static let queryLimit = 1_000

  /// - Parameter head: From the request line to the end of the last header line.
  /// - Throws: ``HTTPError/refused(_:_:)`` where path or query are not usable.
  static func read(_ head: [UInt8], id: String) throws(HTTPError) -> RequestHead {
    var target = ""
    var method = ""
    var headers = Headers()
    head.withUnsafeBytes { head in
      var lines = HeadLines(head)
      if let first = lines.next() {
        let parts = head[first].split(separator: UInt8(ascii: " "))
        method = String(decoding: parts[0], as: UTF8.self)
        target = String(decoding: parts[1], as: UTF8.self)
      }
      while let line = lines.next() {
        guard let (name, value) = HeadLines.field(in: head[line]) else { continue }
        headers.add(
          String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self))
      }
    }
    let (part, query) = try split(target)
    let path = String(part)
    guard let segments = RequestHead.segments(of: path) else {
      throw .refused(.badRequest, "The path contains a NUL or is not UTF-8.")
    }
    var result = RequestHead(method: method, path: path, segments: segments, peer: "", id: id)
    result.headers = headers
    result.query = try items(of: query)
    return result
  }

  /// Path and query of origin-form and absolute-form (RFC 9112 3.2).
  private static func split(_ target: String) throws(HTTPError) -> (Substring, Substring) {
    guard !target.utf8.contains(UInt8(ascii: "#")) else {
      throw .refused(.badRequest, "The path contains a fragment.")
    }
    var rest = Substring(target)
    for scheme in ["http://", "https://"] where target.prefix(scheme.count).isSame(as: scheme) {
      let start = target.utf8.index(target.startIndex, offsetBy: scheme.utf8.count)
      rest = target[start...]
      rest = rest[(rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex)...]
      if rest.first != "/" { return ("/", rest.dropFirst()) }
    }
    guard rest.first == "/" else {
      throw .refused(.badRequest, "The path does not begin with a slash.")
    }
    guard let mark = rest.firstIndex(of: "?") else { return (rest, "") }
    return (rest[..<mark], rest[rest.index(after: mark)...])
  }

  private static func items(of query: Substring) throws(HTTPError) -> QueryItems {
    var result = QueryItems()
    for item in query.utf8.split(separator: UInt8(ascii: "&")) {
      guard result.items.count < queryLimit else {
        throw .refused(.uriTooLong, "The query has more than \(queryLimit) items.")
      }
      let mark = item.firstIndex(of: UInt8(ascii: "=")) ?? item.endIndex
      let name = PercentCoding.decode(Substring(item[..<mark]), plusIsBlank: true)
      let value = PercentCoding.decode(Substring(item[mark...].dropFirst()), plusIsBlank: true)
      guard !name.contains(0), !value.contains(0) else {
        throw .refused(.badRequest, "The query contains a NUL.")
      }
      result.items.append(
        .init(
          name: String(decoding: name, as: UTF8.self), value: String(decoding: value, as: UTF8.self)
        ))
    }
    return result
  }
}
