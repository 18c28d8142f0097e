internal import Bytes
internal import JSON

/// An envelope, in which Sentry's SDKs put events and files: a header, then items with a header each.
///
///     {"event_id": "…", "dsn": "…"}
///     {"type": "event", "length": 41}
///     {"event_id": "…", "platform": "cocoa", …}
///     {"type": "attachment", "length": 10, "filename": "a.dmp", "attachment_type": "event.minidump"}
///     MDMP…
///
/// An item without a length extends to the end of the line.
///
/// Source: "Envelopes" of Sentry's developer documentation.
struct SentryEnvelope {
  private static let headerBytes = 64 << 10
  private static let items = 256

  private(set) var events: [ByteView] = []
  private(set) var dumps: [ByteView] = []
  /// Whether an item extends beyond the end of the file.
  private(set) var isCut = false

  /// Whether `bytes` begin with the headers of an envelope and of an item. Reads a bounded part.
  static func begins(_ bytes: ByteView) -> Bool {
    var position = 0
    guard header(bytes, &position) != nil, let item = header(bytes, &position) else { return false }
    return item.text("type") != nil
      && (item.member("length") != nil || item.text("type") == "event")
  }

  /// - Complexity: O(items) and the lengths of their headers.
  init(_ bytes: ByteView) {
    var position = 0
    guard Self.header(bytes, &position) != nil else { return }
    for _ in 0..<Self.items {
      guard let item = Self.header(bytes, &position), let type = item.text("type") else { return }
      var end = bytes.count
      if let length = item.number("length"), length >= 0 {
        isCut = length > bytes.count - position
        end = position + min(length, bytes.count - position)
      } else if let line = bytes.bytes.find(10, from: position) {
        end = line
      }
      let content = bytes.clamped(position..<end)
      if type == "event" { events.append(content) }
      if item.text("attachment_type") == "event.minidump" { dumps.append(content) }
      position = end
      if position < bytes.count, bytes.bytes.byte(position) == 10 { position += 1 }
    }
  }

  /// The object in the line at `position`, which moves past the line.
  private static func header(_ bytes: ByteView, _ position: inout Int) -> JSONValue? {
    let line = bytes.clamped(position..<min(bytes.count, position + headerBytes))
    guard line.bytes.has("{"), let end = line.bytes.find(10) else { return nil }
    do throws(ParseError) {
      let document = try JSONDocument.parse(line.clamped(0..<end))
      guard document.cut == nil, document.value.object != nil else { return nil }
      position += end + 1
      return document.value
    } catch {
      return nil
    }
  }
}
