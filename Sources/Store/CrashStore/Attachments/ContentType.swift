internal import Bytes
internal import JSON

/// The content type of bytes, whatever their name is.
enum ContentType {
  /// The marks at the start of the recognised kinds. Sources: the PNG specification, section 5.2; ITU T.81,
  /// annex B; GIF89a, section 17; the WebP container; ISO 32000-1, section 7.5.2.
  private static let marks: [(mark: [UInt8], type: String)] = [
    ([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], "image/png"),
    ([0xff, 0xd8, 0xff], "image/jpeg"),
    (Array("GIF87a".utf8), "image/gif"),
    (Array("GIF89a".utf8), "image/gif"),
    (Array("%PDF-".utf8), "application/pdf"),
  ]

  /// Maximum size of a text that is parsed as JSON, in bytes.
  private static let jsonLimit = 16 << 20

  static func guess(_ bytes: ByteView) -> String {
    for (mark, type) in marks where bytes.starts(with: mark) { return type }
    switch FileMagic(of: bytes) {
    case .zip, .emptyZip: return "application/zip"
    case .gzip: return "application/gzip"
    case .zstd: return "application/zstd"
    default: break
    }
    if bytes.starts(with: Array("RIFF".utf8)),
      bytes.count >= 12, bytes.clamped(8..<12).starts(with: Array("WEBP".utf8))
    {
      return "image/webp"
    }
    guard isText(bytes) else { return "application/octet-stream" }
    return isJSON(bytes) ? "application/json" : "text/plain"
  }

  /// Whether the bytes are UTF-8 without control characters other than those that format text or colour it.
  private static func isText(_ bytes: ByteView) -> Bool {
    for offset in 0..<bytes.count {
      switch bytes[offset] {
      case 0x09, 0x0a, 0x0c, 0x0d, 0x1b: continue
      case 0..<0x20, 0x7f: return false
      default: continue
      }
    }
    return String(validating: bytes.array, as: UTF8.self) != nil
  }

  /// Whether the bytes are one complete object or array.
  private static func isJSON(_ bytes: ByteView) -> Bool {
    guard bytes.count <= jsonLimit else { return false }
    var start = 0
    while start < bytes.count, [0x09, 0x0a, 0x0d, 0x20].contains(bytes[start]) { start += 1 }
    guard start < bytes.count, bytes[start] == 0x7b || bytes[start] == 0x5b else { return false }
    do throws(ParseError) {
      let parse = try JSONDocument.parse(bytes)
      guard parse.cut == nil else { return false }
      // One value and no more: a log of JSON lines is text.
      return (parse.end..<bytes.count).allSatisfy { [0x09, 0x0a, 0x0d, 0x20].contains(bytes[$0]) }
    } catch {
      return false
    }
  }
}

extension ContentType {
  /// Returns the type without parameters, in lower case; `nil` for an invalid one.
  static func valid(_ text: String) -> String? {
    let type = text.prefix { $0 != ";" }.lowercased().filter { $0 != " " }
    let parts = type.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, type.utf8.count <= 100,
      parts.allSatisfy({ part in
        !part.isEmpty
          && part.utf8.allSatisfy {
            (97...122).contains($0) || (48...57).contains($0) || [43, 45, 46].contains($0)
          }
      })
    else { return nil }
    return type
  }
}
