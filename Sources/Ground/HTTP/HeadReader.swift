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
    let (slash, question) = (UInt8(ascii: "/"), UInt8(ascii: "?"))
    var rest = target.utf8[...]
    if rest.first != slash {
      for scheme in ["http://", "https://"] where target.prefix(scheme.count).isSame(as: scheme) {
        rest = target.utf8.dropFirst(scheme.utf8.count)
        rest = rest[(rest.firstIndex { $0 == slash || $0 == question } ?? rest.endIndex)...]
        if rest.first != slash { return ("/", Substring(rest.dropFirst())) }
      }
    }
    guard rest.first == slash else {
      throw .refused(.badRequest, "The path does not begin with a slash.")
    }
    guard let mark = rest.firstIndex(of: question) else { return (Substring(rest), "") }
    return (Substring(rest[..<mark]), Substring(rest[mark...].dropFirst()))
  }

  private static func items(of query: Substring) throws(HTTPError) -> QueryItems {
    var result = QueryItems()
    for item in query.utf8.split(separator: UInt8(ascii: "&")) {
      guard result.items.count < queryLimit else {
        throw .refused(.uriTooLong, "The query has more than \(queryLimit) items.")
      }
      let mark = item.firstIndex(of: UInt8(ascii: "=")) ?? item.endIndex
      result.items.append(
        .init(name: try text(of: item[..<mark]), value: try text(of: item[mark...].dropFirst())))
    }
    return result
  }

  private static func text(of part: Substring.UTF8View) throws(HTTPError) -> String {
    guard part.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }) else {
      // NUL is not in a line of a head.
      return String(Substring(part))
    }
    let bytes = PercentCoding.decode(Substring(part), plusIsBlank: true)
    guard !bytes.contains(0) else { throw .refused(.badRequest, "The query contains a NUL.") }
    return String(decoding: bytes, as: UTF8.self)
  }
}
