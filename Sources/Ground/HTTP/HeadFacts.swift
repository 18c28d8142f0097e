internal import Glibc

/// The framing of the body and other facts of a head, judged strictly: anything that two parsers could read
/// as different requests is refused.
struct HeadFacts {
  enum Framing: Equatable {
    case none
    /// In bytes, at least 1.
    case length(UInt64)
    case chunked
  }

  private(set) var framing = Framing.none
  private(set) var isHEAD = false
  private(set) var isVersion10 = false
  private(set) var closes = false
  private(set) var keepsAlive = false
  /// `Expect: 100-continue`.
  private(set) var waits = false
  /// The value of `Content-Type` where that is a form, for libmicrohttpd's reader of forms.
  private(set) var form: Range<Int>?

  private var lengths = 0
  private var codings = 0
  private var hosts = 0
  private var types = 0

  /// The most header lines of a head.
  static let fieldLimit = 256
  /// The longest `Content-Type` of a form, whose boundary has at most 70 characters (RFC 2046 5.1.1).
  private static let formTypeLimit = 1_024

  /// - Parameter head: From the request line to the end of the last header line, without the empty line.
  /// - Throws: ``HTTPError/refused(_:_:)`` with the appropriate status.
  init(judging head: UnsafeRawBufferPointer) throws(HTTPError) {
    var lines = HeadLines(head)
    guard let first = lines.next() else { throw .refused(.badRequest, "The head is empty.") }
    try takeRequestLine(UnsafeRawBufferPointer(rebasing: head[first]))
    var count = 0
    while let line = lines.next() {
      count += 1
      guard count <= Self.fieldLimit else {
        throw .refused(
          .headerFieldsTooLarge, "The request has more than \(Self.fieldLimit) headers.")
      }
      try takeField(line, of: head)
    }
    try resolve()
  }

  /// RFC 9112 3.
  private mutating func takeRequestLine(_ line: UnsafeRawBufferPointer) throws(HTTPError) {
    guard let first = line.firstIndex(of: UInt8(ascii: " ")),
      let last = line.lastIndex(of: UInt8(ascii: " ")), first < last
    else {
      throw .refused(.badRequest, "The request line is not METHOD PATH VERSION.")
    }
    let method = line[..<first]
    guard !method.isEmpty, method.count <= 32, method.allSatisfy(ByteClass.isToken) else {
      throw .refused(.badRequest, "The method is not a token.")
    }
    isHEAD = method.elementsEqual("HEAD".utf8)
    guard line[(first + 1)..<last].allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else {
      throw .refused(
        .badRequest, "The path contains a space, a control character or a non-ASCII byte.")
    }
    let version = line[(last + 1)...]
    isVersion10 = version.elementsEqual("HTTP/1.0".utf8)
    guard isVersion10 || version.elementsEqual("HTTP/1.1".utf8) else {
      let isVersion = version.count == 8 && version.starts(with: "HTTP/".utf8)
      throw .refused(
        isVersion ? .versionNotSupported : .badRequest, "This server speaks HTTP/1.1.")
    }
  }

  /// RFC 9112 5.
  private mutating func takeField(
    _ range: Range<Int>, of head: UnsafeRawBufferPointer
  ) throws(HTTPError) {
    let line = head[range]
    guard let (name, value) = HeadLines.field(in: line) else {
      let isFolded = line.first == 0x20 || line.first == 0x09
      throw .refused(
        .badRequest, isFolded ? "A header is folded over two lines." : "A header has no colon.")
    }
    guard !name.isEmpty, name.allSatisfy(ByteClass.isToken) else {
      throw .refused(.badRequest, "The name of a header is not a token.")
    }
    guard value.allSatisfy(ByteClass.isFieldContent) else {
      throw .refused(.badRequest, "The value of a header contains a control character.")
    }
    // Most headers have names of other lengths.
    switch name.count {
    case 4 where name.isSame(as: "host"): try takeHost(value)
    case 6 where name.isSame(as: "expect"):
      guard value.isSame(as: "100-continue") else {
        throw .refused(.expectationFailed, "The only supported expectation is 100-continue.")
      }
      waits = true
    case 10 where name.isSame(as: "connection"):
      for option in value.split(separator: UInt8(ascii: ",")) {
        let option = option.trimmingBlanks()
        closes = closes || option.isSame(as: "close")
        keepsAlive = keepsAlive || option.isSame(as: "keep-alive")
      }
    case 12 where name.isSame(as: "content-type"):
      types += 1
      if value.prefix(19).isSame(as: "multipart/form-data") {
        guard value.count <= Self.formTypeLimit else {
          throw .refused(.badRequest, "The Content-Type of a form is too long.")
        }
        form = value.startIndex..<value.endIndex
      }
    case 14 where name.isSame(as: "content-length"): try takeLength(value)
    case 17 where name.isSame(as: "transfer-encoding"):
      codings += 1
      guard value.isSame(as: "chunked") else {
        throw .refused(.badRequest, "Transfer-Encoding is not chunked.")
      }
      framing = .chunked
    default: break
    }
  }

  private mutating func takeHost(_ value: Slice<UnsafeRawBufferPointer>) throws(HTTPError) {
    hosts += 1
    guard HostField.isValid(value) else { throw .refused(.badRequest, "Host is not a host.") }
  }

  private mutating func takeLength(_ value: Slice<UnsafeRawBufferPointer>) throws(HTTPError) {
    lengths += 1
    guard !value.isEmpty, value.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else {
      throw .refused(.badRequest, "Content-Length is not a number.")
    }
    var length: UInt64 = 0
    for digit in value {
      let (product, isOver) = length.multipliedReportingOverflow(by: 10)
      let (sum, isOverToo) = product.addingReportingOverflow(UInt64(digit - 0x30))
      guard !isOver, !isOverToo else {
        throw .refused(.contentTooLarge, "Content-Length is 2^64 or more.")
      }
      length = sum
    }
    // The library reserves the largest number; no route accepts a body that long.
    guard length <= UInt64(Int64.max) else {
      throw .refused(.contentTooLarge, "Content-Length is 2^63 or more.")
    }
    framing = length == 0 ? .none : .length(length)
  }

  /// Checks fields that may occur only once, or not together (RFC 9112 3.2, 6.1, 6.3).
  private mutating func resolve() throws(HTTPError) {
    if lengths + codings > 1 {
      throw .refused(.badRequest, "The length of the body is given more than once.")
    }
    // Crashpad's own client sends chunks with HTTP/1.0. Such a message may have passed an intermediary that
    // does not know chunks, so nothing is read after it (RFC 9112 6.1).
    if codings == 1 && isVersion10 { closes = true }
    if hosts > 1 { throw .refused(.badRequest, "There is more than one Host.") }
    if hosts == 0 && !isVersion10 { throw .refused(.badRequest, "There is no Host.") }
    if types > 1 { throw .refused(.badRequest, "There is more than one Content-Type.") }
  }
}

/// The lines of a head, each a range without its CRLF.
struct HeadLines {
  private let head: UnsafeRawBufferPointer
  private var position = 0

  init(_ head: UnsafeRawBufferPointer) { self.head = head }

  /// The last line may lack its CRLF.
  mutating func next() -> Range<Int>? {
    guard position < head.count, let base = head.baseAddress else { return nil }
    let start = position
    guard let found = memchr(base + start, 0x0a, head.count - start) else {
      position = head.count
      return start..<head.count
    }
    let end = UnsafeRawPointer(found) - base
    position = end + 1
    return start..<(end > start ? end - 1 : end)
  }

  static func firstLineLength(of head: UnsafeRawBufferPointer) -> Int {
    var lines = HeadLines(head)
    return lines.next()?.count ?? 0
  }

  /// Name and value of a header line; `nil` where it is folded or has no colon.
  static func field(
    in line: Slice<UnsafeRawBufferPointer>
  ) -> (name: Slice<UnsafeRawBufferPointer>, value: Slice<UnsafeRawBufferPointer>)? {
    guard let first = line.first, first != 0x20, first != 0x09,
      let colon = line.firstIndex(of: UInt8(ascii: ":"))
    else { return nil }
    return (line[..<colon], line[(colon + 1)...].trimmingBlanks())
  }
}

extension Slice<UnsafeRawBufferPointer> {
  /// The text without blanks and tabs on both sides.
  func trimmingBlanks() -> Self {
    var slice = self
    while let byte = slice.first, byte == 0x20 || byte == 0x09 { slice = slice.dropFirst() }
    while let byte = slice.last, byte == 0x20 || byte == 0x09 { slice = slice.dropLast() }
    return slice
  }

  /// Whether it equals `text`, which is lower-case, ignoring case.
  func isSame(as text: StaticString) -> Bool {
    guard count == text.utf8CodeUnitCount else { return false }
    return text.withUTF8Buffer { wanted in
      zip(self, wanted).allSatisfy { $0.lowercased == $1 }
    }
  }
}

/// The classes of bytes in a head.
enum ByteClass {
  private static let tokens: [Bool] = (0...255).map { byte in
    switch UInt8(byte) {
    case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
    default: "!#$%&'*+-.^_`|~".utf8.contains(UInt8(byte))
    }
  }

  /// RFC 9110 5.6.2.
  static func isToken(_ byte: UInt8) -> Bool { tokens[Int(byte)] }

  /// Whether it is a visible character, a blank, a tab, or not ASCII (RFC 9110 5.5).
  static func isFieldContent(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte != 0x7f || byte == 0x09
  }
}
