internal import Bytes
internal import JSON

/// The content type of an attachment, recognized by its bytes rather than by its name or the type that the app
/// gave.
struct AttachmentContent {
  enum Kind: Equatable {
    case picture(PictureSize)
    case text(Encoding)
    case json
    /// Anything else, which can only be downloaded, with the reason unless it is obvious.
    case other(String?)
  }

  enum Encoding: Equatable {
    case utf8, utf16Little, utf16Big
  }

  let kind: Kind
  let bytes: ByteView

  /// How many bytes of a text are shown.
  static let shownBytes = 64 << 10
  /// Longer documents are shown as plain text.
  private static let longestJSON = 1 << 20

  init(_ bytes: ByteView) {
    self.bytes = bytes
    kind = Self.kind(of: bytes)
  }

  private static func kind(of bytes: ByteView) -> Kind {
    if let size = PictureSize(bytes) {
      return size.isShown
        ? .picture(size) : .other("it claims to have \(size.width) × \(size.height) pixels")
    }
    if bytes.starts(with: Array("%PDF-".utf8)) { return .other(nil) }
    let start = bytes.clamped(0..<shownBytes)
    if start.starts(with: [0xff, 0xfe]) || start.starts(with: [0xfe, 0xff]) {
      let encoding: Encoding = start[0] == 0xff ? .utf16Little : .utf16Big
      return isText(utf16(start, encoding)) ? .text(encoding) : .other(nil)
    }
    guard let text = utf8(start), isText(text) else { return .other(nil) }
    return isJSON(bytes) ? .json : .text(.utf8)
  }

  /// Whether a browser may display the bytes directly. Text that begins like HTML or SVG may not.
  var isInline: Bool {
    switch kind {
    case .picture, .json: true
    case .text: text.first { !$0.isWhitespace && $0 != "\u{feff}" } != "<"
    case .other: false
    }
  }

  /// The content type of the response.
  var type: String {
    guard isInline else { return "application/octet-stream" }
    return switch kind {
    case .picture(let size): size.type
    case .text(.utf16Little): "text/plain; charset=utf-16le"
    case .text(.utf16Big): "text/plain; charset=utf-16be"
    default: "text/plain; charset=utf-8"
    }
  }

  /// The beginning of a text, with JSON formatted in lines.
  var text: String {
    let start = bytes.clamped(0..<Self.shownBytes)
    switch kind {
    case .text(.utf8): return Self.utf8(start) ?? ""
    case .text(let encoding): return Self.utf16(start, encoding)
    case .json: return JSONLayout.lines(of: Self.utf8(start) ?? "", limit: 2 * Self.shownBytes)
    case .picture, .other: return ""
    }
  }

  var isCut: Bool { bytes.count > Self.shownBytes }

  /// `nil` if the bytes are not UTF-8; a character cut off at the end is ignored.
  private static func utf8(_ bytes: ByteView) -> String? {
    var all = bytes.array
    if all.starts(with: [0xef, 0xbb, 0xbf]) { all.removeFirst(3) }
    for cut in 0..<4 {
      guard cut <= all.count else { break }
      if let text = String(validating: all.dropLast(cut), as: UTF8.self) { return text }
      if bytes.count < shownBytes { return nil }
    }
    return nil
  }

  private static func utf16(_ bytes: ByteView, _ encoding: Encoding) -> String {
    let units = stride(from: 2, to: bytes.count - 1, by: 2).map { offset in
      let (one, other) = (UInt16(bytes[offset]), UInt16(bytes[offset + 1]))
      return encoding == .utf16Little ? other << 8 | one : one << 8 | other
    }
    return String(decoding: units, as: UTF16.self)
  }

  /// No control characters except those that format or colour text.
  private static func isText(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { scalar in
      switch scalar.value {
      case 0x09, 0x0a, 0x0c, 0x0d, 0x1b: true
      case 0..<0x20, 0x7f: false
      default: true
      }
    }
  }

  /// A complete object or array that is not nested too deeply.
  private static func isJSON(_ bytes: ByteView) -> Bool {
    guard bytes.count <= longestJSON else { return false }
    var start = 0
    while start < bytes.count, isBlank(bytes[start]) { start += 1 }
    guard start < bytes.count,
      bytes[start] == UInt8(ascii: "{") || bytes[start] == UInt8(ascii: "[")
    else { return false }
    do throws(ParseError) {
      let parse = try JSONDocument.parse(bytes)
      return parse.cut == nil && (parse.end..<bytes.count).allSatisfy { isBlank(bytes[$0]) }
    } catch {
      return false
    }
  }

  private static func isBlank(_ byte: UInt8) -> Bool { [0x09, 0x0a, 0x0d, 0x20].contains(byte) }
}
