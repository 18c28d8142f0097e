internal import Bytes
internal import Files
internal import JSON

/// Messages between a process that reads files and the one that started it.
///
/// A request is one byte and two values: 0, the size of a file and the text of its path; or 1 and the bytes of a file. An
/// answer is one byte and bytes: after 0 these are two texts for each report, its app and its document; after 1 they are
/// a JSON document with `reason`, `message`, `foreign` and maybe `outage`. Texts and bytes stand behind their number; numbers have eight
/// bytes, the lowest first.
enum ReadingMessages {
  enum Request {
    case path(String, size: Int)
    case bytes(ByteView)
  }

  enum Answer {
    case reports([(app: String, document: ByteView)])
    case failed(FailedReading)
  }

  enum Failure: Error {
    /// The time is over.
    case late
    /// The process has closed its pipes.
    case ended
    /// The bytes are not a message.
    case wrong
  }

  /// The largest answer.
  private static let mostBytes = 1 << 31

  static func send(_ request: Request, to file: borrowing OpenFile) throws(Failure) {
    var message: [UInt8]
    switch request {
    case .path(let path, let size):
      message = [0] + number(size) + number(path.utf8.count) + Array(path.utf8)
    case .bytes(let bytes): message = [1] + number(bytes.count)
    }
    try write(ByteView(message), to: file)
    if case .bytes(let bytes) = request { try write(bytes, to: file) }
  }

  private static func write(_ bytes: ByteView, to file: borrowing OpenFile) throws(Failure) {
    do throws(FileError) {
      try bytes.write(to: file.number, named: "pipe")
    } catch {
      throw .ended
    }
  }

  /// - Returns: `nil` at the end.
  static func request(from file: borrowing OpenFile) throws(Failure) -> Request? {
    var patience = Int64.max
    guard let kind = try? read(1, from: file, within: &patience) else { return nil }
    let count = try number(from: file, within: &patience)
    if kind[0] == 1 { return .bytes(ByteView(try read(count, from: file, within: &patience))) }
    let path = try read(try number(from: file, within: &patience), from: file, within: &patience)
    return .path(String(decoding: path, as: UTF8.self), size: count)
  }

  static func send(_ document: [UInt8], isFailure: Bool, to file: borrowing OpenFile)
    throws(Failure)
  {
    try write(ByteView([isFailure ? 1 : 0] + number(document.count)), to: file)
    try write(ByteView(document), to: file)
  }

  /// - Parameter patience: Nanoseconds that may be waited; the time that was waited is taken off.
  static func receive(
    from file: borrowing OpenFile, within patience: inout Int64
  ) throws(Failure) -> Answer {
    let kind = try read(1, from: file, within: &patience)[0]
    let count = try number(from: file, within: &patience)
    guard count <= mostBytes else { throw .wrong }
    let bytes = ByteView(try read(count, from: file, within: &patience))
    guard kind <= 1 else { throw .wrong }
    return try kind == 0 ? .reports(reports(bytes)) : .failed(failure(bytes))
  }

  private static func reports(_ bytes: ByteView) throws(Failure) -> [(
    app: String, document: ByteView
  )] {
    var start = 0
    func take() throws(Failure) -> ByteView {
      guard bytes.count - start >= 8 else { throw .wrong }
      let size = value(of: bytes.clamped(start..<(start + 8)).array)
      start += 8
      guard size >= 0, size <= bytes.count - start else { throw .wrong }
      defer { start += size }
      return bytes.clamped(start..<(start + size))
    }
    var found: [(app: String, document: ByteView)] = []
    while start < bytes.count { found.append((try take().text, try take())) }
    return found
  }

  private static let outages: [(name: String, kind: FailureKind)] = [
    ("failed", .failed), ("configuration", .wrongUsage), ("not found", .notFound),
    ("not allowed", .notAllowed), ("unreachable", .unreachable),
  ]

  private static func failure(_ bytes: ByteView) throws(Failure) -> FailedReading {
    guard let value = try? JSONDocument.parse(bytes).value, let reason = value["reason"]?.string,
      let message = value["message"]?.string, let isForeign = value["foreign"]?.bool
    else { throw .wrong }
    let outage = value["outage"]?.string.flatMap { name in outages.first { $0.name == name }?.kind }
    return FailedReading(
      reason: reason, message: message, isForeign: isForeign, outage: outage)
  }

  static func document(of failure: FailedReading) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("reason", failure.reason)
    writer.member("message", failure.message)
    writer.member("foreign", failure.isForeign)
    if let outage = outages.first(where: { $0.kind == failure.outage }) {
      writer.member("outage", outage.name)
    }
    writer.endObject()
    return writer.takeBytes()
  }

  static func part(_ bytes: [UInt8]) -> [UInt8] { number(bytes.count) + bytes }

  // MARK: Bytes

  private static func number(_ value: Int) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  private static func value(of bytes: [UInt8]) -> Int {
    bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  private static func number(
    from file: borrowing OpenFile, within patience: inout Int64
  ) throws(Failure) -> Int {
    let value = value(of: try read(8, from: file, within: &patience))
    guard value >= 0 else { throw .wrong }
    return value
  }

  /// Reads exactly `count` bytes.
  private static func read(
    _ count: Int, from file: borrowing OpenFile, within patience: inout Int64
  ) throws(Failure) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: min(count, 1 << 20))
    while bytes.count < count {
      if patience < .max, !file.waitToRead(within: &patience) { throw .late }
      if buffer.count > count - bytes.count {
        buffer.removeLast(buffer.count - (count - bytes.count))
      }
      guard let got = try? file.read(into: &buffer, name: "pipe"), got > 0 else { throw .ended }
      bytes += buffer[..<got]
    }
    return bytes
  }
}
