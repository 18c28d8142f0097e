package import Bytes
internal import Compression
internal import Identifiers
internal import JSON

/// One submission in an ``IntakeLog``.
///
///     4 bytes   "MayI"
///     4         length of the facts
///     8         length of the body
///     4         CRC-32 of the facts
///     4         CRC-32 of the body
///     ...       the facts: a JSON object
///     ...       the body, unless it is a file of its own
///
/// Numbers are little-endian.
package struct IntakeLogRecord: Sendable {
  /// Everything but the body.
  package let head: ByteView
  package let body: ByteView
  let received: Timestamp
  /// Bytes of the body, wherever it is.
  let size: Int

  var count: Int { head.count + body.count }

  static let fixedLength = 24
  private static let magic: [UInt8] = Array("MayI".utf8)

  /// - Parameter file: The file with the body, if it is large.
  package init(_ record: IntakeRecord, file: String?) {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("route", record.route)
    writer.member("received", record.received.microseconds)
    writer.member("size", record.body.count)
    writer.member("file", file)
    writer.key("facts")
    writer.beginObject()
    for (name, value) in record.facts.sorted(by: { $0.key < $1.key }) { writer.member(name, value) }
    writer.endObject()
    writer.endObject()
    let facts = ByteView(writer.takeBytes())
    received = record.received
    size = record.body.count
    body = file == nil ? record.body : .empty
    var head = Self.magic
    head.append(UInt32(truncatingIfNeeded: facts.count))
    head.append(UInt64(body.count))
    head.append(CRC32.checksum(of: facts))
    head.append(CRC32.checksum(of: body))
    self.head = ByteView(head + facts.array)
  }

  /// A record that was read.
  package struct Entry {
    let route: String
    let received: Timestamp
    /// A JSON object.
    let facts: String
    let size: Int
    let file: String?
    /// The range of the body in the log.
    package let body: Range<Int>

    /// The entry, with its body moved for bytes that begin at `start` in the log.
    func moved(by start: Int) -> Entry {
      Entry(
        route: route, received: received, facts: facts, size: size, file: file,
        body: body.lowerBound + start..<body.upperBound + start)
    }
  }

  package enum Reading {
    case record(Entry)
    /// The end, or a record that was cut off before it was acknowledged.
    case end
    /// Bytes that are not a record.
    case damage(String)
  }

  /// Reads the record at `offset`, and advances `offset` past it.
  ///
  /// - Parameters:
  ///   - isChecked: Whether to verify the checksums of bodies, which reads them.
  ///   - isWhole: Whether the body must be there.
  package static func read(
    _ log: ByteView, at offset: inout Int, isChecked: Bool, isWhole: Bool = true
  ) -> Reading {
    let start = offset
    let rest = log.clamped(offset..<log.count)
    guard rest.count >= fixedLength else { return .end }
    guard rest.starts(with: magic) else { return .damage("no submission begins at byte \(start)") }
    var reader = ByteReader(
      rest.clamped(magic.count..<fixedLength).bytes, reading: "intake log", base: start)
    do throws(ParseError) {
      let factsLength = try reader.read(UInt32.self)
      let bodyLength = try reader.read(UInt64.self)
      let checks = (facts: try reader.read(UInt32.self), body: try reader.read(UInt32.self))
      let left = UInt64(rest.count - fixedLength)
      guard UInt64(factsLength) <= left, bodyLength <= UInt64(Int32.max),
        !isWhole || bodyLength <= left - UInt64(factsLength)
      else { return .end }
      let middle = start + fixedLength + Int(factsLength)
      let end = middle + Int(bodyLength)
      let facts = log.clamped(start + fixedLength..<middle)
      guard CRC32.checksum(of: facts) == checks.facts,
        !isChecked || CRC32.checksum(of: log.clamped(middle..<end)) == checks.body,
        let entry = entry(facts, middle..<end)
      else { return .damage("the submission at byte \(start) does not match its checksum") }
      offset = end
      return .record(entry)
    } catch {
      return .damage(error.description)
    }
  }

  private static func entry(_ facts: ByteView, _ body: Range<Int>) -> Entry? {
    guard let value = try? JSONDocument.parse(facts).value, let route = value["route"]?.string,
      let received = value["received"]?.integer, let size = value["size"]?.integer
    else { return nil }
    var writer = JSONWriter()
    writer.beginObject()
    for member in value["facts"]?.object ?? [] { writer.member(member.key, member.value.string) }
    writer.endObject()
    return Entry(
      route: route, received: Timestamp(microseconds: received),
      facts: String(decoding: writer.takeBytes(), as: UTF8.self),
      size: size, file: value["file"]?.string, body: body)
  }
}

extension [UInt8] {
  fileprivate mutating func append(_ number: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
  }
}
