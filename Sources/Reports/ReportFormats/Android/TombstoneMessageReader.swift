internal import Bytes
internal import CrashModel

extension ReportFormat {
  /// A tombstone as a protobuf message.
  static let androidTombstoneMessage = ReportFormat("android-tombstone-pb")
}

/// Tombstones as protobuf: `/data/tombstones/*.pb`, and the result of
/// `ApplicationExitInfo.getTraceInputStream()` for a native crash.
///
/// The message has neither a magic number nor a length. It is recognised by a fingerprint at its start,
/// fields that can be read up to the end or a truncation, and a signal or a thread among them.
enum TombstoneMessageReader: DocumentReader {
  static let format = ReportFormat.androidTombstoneMessage
  static let fileExtension = "pb"
  static let isBinary = true

  /// Bytes of a message; the largest that debuggerd writes have some megabytes.
  private static let limit = 64 << 20

  /// The message begins with the processor, which is left out for 32-bit ARM, and the fingerprint.
  static func recognises(_ bytes: ByteView) -> Bool {
    guard bytes.count <= limit, bytes.count > 8 else { return false }
    let head = bytes.clamped(0..<512).bytes
    var position = 0
    if head.byte(0) == 8 {
      guard head.byte(1) <= 8 else { return false }
      position = 2
    }
    guard head.byteOrZero(position) == 0x12 else { return false }
    position += 1
    var length = 0
    var shift = 0
    while shift < 14 {
      let byte = head.byteOrZero(position)
      position += 1
      length |= Int(byte & 0x7f) << shift
      shift += 7
      if byte & 0x80 == 0 { break }
    }
    guard length > 3, length < 400, position + length <= head.byteCount else { return false }
    let fingerprint = head.part(position..<position + length)
    for index in 0..<length where !(32...126).contains(fingerprint.byte(index)) { return false }
    // Anything may begin with a text; a fingerprint has these.
    guard fingerprint.contains("/"), fingerprint.contains(":") else { return false }
    return isMessage(bytes.bytes)
  }

  /// Whether the bytes are a message, as far as its own fields show, and hold a signal or a thread.
  private static func isMessage(_ bytes: RawSpan) -> Bool {
    var reader = ProtobufFields(bytes)
    var hasContent = false
    do throws(ParseError) {
      while let field = try reader.next() {
        switch field.number {
        case TombstoneMessage.Number.signal, TombstoneMessage.Number.threads: hasContent = true
        case 0, 64...: return false
        default: break
        }
      }
    } catch {
      if case .truncated = error.kind { return hasContent }
      return false
    }
    return hasContent
  }

  static func reports(in bytes: ByteView) throws(ParseError) -> [CrashReport] {
    [try TombstoneMessage.report(of: bytes.bytes)]
  }
}
